#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: libnetty-java
# extent: suite
#
# Netty: an echo server and clients over NIO with length-framed messages, direct and pooled buffers, timers.
. "$(dirname "$0")/common.sh"
jars netty-{buffer,codec,common,handler,transport,resolver}
driver NettyEcho <<'JAVA'
import io.netty.bootstrap.*;
import io.netty.buffer.*;
import io.netty.channel.*;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.*;
import io.netty.handler.codec.*;
import io.netty.util.*;
import io.netty.util.concurrent.*;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class NettyEcho {
    static <C extends Channel> ChannelInitializer<C> framed(java.util.function.Supplier<ChannelHandler> h) {
        return new ChannelInitializer<C>() {
            protected void initChannel(C c) {
                c.pipeline().addLast(new LengthFieldBasedFrameDecoder(1 << 20, 0, 4, 0, 4), new LengthFieldPrepender(4), h.get());
            }
        };
    }
    public static void main(String[] a) throws Exception {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.ADVANCED);
        EventLoopGroup boss = new NioEventLoopGroup(1), work = new NioEventLoopGroup(4);
        AtomicInteger served = new AtomicInteger();
        Channel server = new ServerBootstrap().group(boss, work).channel(NioServerSocketChannel.class)
            .childHandler(framed(() -> new SimpleChannelInboundHandler<ByteBuf>() {
                protected void channelRead0(ChannelHandlerContext c, ByteBuf b) {
                    served.incrementAndGet();
                    ByteBuf out = c.alloc().directBuffer(b.readableBytes());
                    for (int i = b.writerIndex() - 1; i >= b.readerIndex(); i--) out.writeByte(b.getByte(i));
                    c.writeAndFlush(out);
                }
            })).bind("127.0.0.1", 0).sync().channel();
        int clients = 20, each = 40;
        CountDownLatch done = new CountDownLatch(clients);
        AtomicLong bytes = new AtomicLong();
        AtomicInteger wrong = new AtomicInteger();
        for (int k = 0; k < clients; k++) {
            int id = k;
            new Bootstrap().group(work).channel(NioSocketChannel.class).handler(framed(() -> new ChannelInboundHandlerAdapter() {
                int n;
                String text() { return ("client " + id + " message " + n + " ").repeat(1 + n); }
                public void channelActive(ChannelHandlerContext c) { c.writeAndFlush(Unpooled.copiedBuffer(text(), StandardCharsets.UTF_8)); }
                public void channelRead(ChannelHandlerContext c, Object m) {
                    ByteBuf b = (ByteBuf) m;
                    String got = b.toString(StandardCharsets.UTF_8);
                    bytes.addAndGet(b.readableBytes());
                    b.release();
                    if (!got.equals(new StringBuilder(text()).reverse().toString())) wrong.incrementAndGet();
                    if (++n < each) channelActive(c);
                    else c.close().addListener(f -> done.countDown());
                }
            })).connect(server.localAddress());
        }
        System.out.println(done.await(100, TimeUnit.SECONDS) + " " + served + " " + bytes + " " + wrong);
        ByteBuf b = PooledByteBufAllocator.DEFAULT.directBuffer(16);
        b.writeInt(0xcafebabe).writeLongLE(-2).writeDouble(Math.PI);
        System.out.println(ByteBufUtil.hexDump(b) + " " + b.isDirect() + " " + b.refCnt() + " " + b.release());
        try { b.readInt(); } catch (IllegalReferenceCountException e) { System.out.println(e); }
        CompositeByteBuf c = Unpooled.compositeBuffer().addComponents(true, Unpooled.copiedBuffer("ab", StandardCharsets.UTF_8), Unpooled.wrappedBuffer(new byte[] {99, 100}));
        System.out.println(c.toString(StandardCharsets.UTF_8) + c);
        HashedWheelTimer timer = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);
        CountDownLatch fired = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) timer.newTimeout(t -> fired.countDown(), i, TimeUnit.MILLISECONDS);
        System.out.println(fired.await(30, TimeUnit.SECONDS) + " " + timer.stop().size());
        Recycler<StringBuilder> r = new Recycler<>() { protected StringBuilder newObject(Handle<StringBuilder> h) { return new StringBuilder("new"); } };
        System.out.println(r.get() + " " + io.netty.util.internal.PlatformDependent.hasUnsafe() + " " + io.netty.util.internal.PlatformDependent.directBufferPreferred()
            + " " + io.netty.util.internal.PlatformDependent.javaVersion());
        FastThreadLocal<Integer> ftl = new FastThreadLocal<>() { protected Integer initialValue() { return 42; } };
        System.out.println(ftl.get());
        server.close().sync();
        System.out.println(boss.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(20000) + " " + work.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(20000));
    }
}
JAVA
run() { vm "$1" -Dio.netty.tryReflectionSetAccessible=true --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/jdk.internal.misc=ALL-UNNAMED NettyEcho && vm "$1" NettyEcho; }
compare run
