#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 200
# packages: libavro-java libthrift-java libjackson2-core-java libjackson2-databind-java libcommons-compress-java libslf4j-java
# extent: suite
#
# Avro and Thrift: schemas, evolution, binary and JSON encodings, files; a protocol over a socket.
. "$(dirname "$0")/common.sh"
jars avro thrift slf4j-api slf4j-nop commons-compress jackson-core jackson-databind jackson-annotations
cp+=$(ls $share/jackson-core-asl.jar $share/jackson-mapper-asl.jar $share/avro-guava-dependencies.jar 2>/dev/null | tr '\n' ':')
driver Recs <<'JAVA'
import java.io.*;
import java.nio.ByteBuffer;
import java.util.*;
import org.apache.avro.*;
import org.apache.avro.file.*;
import org.apache.avro.generic.*;
import org.apache.avro.io.*;
import org.apache.thrift.protocol.*;
import org.apache.thrift.transport.*;
public class Recs {
    public static void main(String[] a) throws Exception {
        Schema s = new Schema.Parser().parse("{'type':'record','name':'R','fields':[{'name':'id','type':'long'},{'name':'tags','type':{'type':'array','items':'string'}},{'name':'u','type':['null','double','string']},{'name':'e','type':{'type':'enum','name':'E','symbols':['A','B']}},{'name':'m','type':{'type':'map','values':'bytes'}}]}".replace('\'', '"'));
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> w = new DataFileWriter<>(new GenericDatumWriter<GenericRecord>(s))) {
            w.setCodec(CodecFactory.deflateCodec(6));
            w.create(s, o);
            for (int i = 0; i < 3000; i++) {
                GenericRecord r = new GenericData.Record(s);
                r.put("id", (long) i * i); r.put("tags", List.of("t" + i % 7, "x")); r.put("u", i % 3 == 0 ? null : i % 3 == 1 ? (Object) (i / 4.0) : "s" + i);
                r.put("e", new GenericData.EnumSymbol(s.getField("e").schema(), i % 2 == 0 ? "A" : "B")); r.put("m", Map.of("k", ByteBuffer.wrap(new byte[] {(byte) i})));
                w.append(r);
            }
        }
        Schema later = new Schema.Parser().parse("{'type':'record','name':'R','fields':[{'name':'id','type':'double'},{'name':'added','type':'string','default':'d'}]}".replace('\'', '"'));
        double sum = 0; int n = 0; GenericRecord last = null;
        for (GenericRecord r : new DataFileReader<GenericRecord>(new SeekableByteArrayInput(o.toByteArray()), new GenericDatumReader<>(s, later))) { sum += (Double) r.get("id"); n++; last = r; }
        System.out.println(n + " " + sum + " " + last);
        for (GenericRecord r : new DataFileReader<GenericRecord>(new SeekableByteArrayInput(o.toByteArray()), new GenericDatumReader<GenericRecord>())) { System.out.println(r); if ((Long) r.get("id") > 20) break; }
        try { new Schema.Parser().parse("{\"type\":\"nothing\"}"); } catch (SchemaParseException e) { System.out.println(e.getMessage()); }
        for (TProtocolFactory f : new TProtocolFactory[] {new TBinaryProtocol.Factory(), new TCompactProtocol.Factory(), new TJSONProtocol.Factory()}) {
            TMemoryBuffer b = new TMemoryBuffer(8192);
            TProtocol p = f.getProtocol(b);
            p.writeMessageBegin(new TMessage("call", TMessageType.CALL, 3));
            p.writeStructBegin(new TStruct("s"));
            p.writeFieldBegin(new TField("l", TType.LIST, (short) 1)); p.writeListBegin(new TList(TType.I64, 100));
            for (int i = 0; i < 100; i++) p.writeI64((long) Math.scalb(-3.0, i % 39));
            p.writeListEnd(); p.writeFieldEnd();
            p.writeFieldBegin(new TField("d", TType.DOUBLE, (short) 7)); p.writeDouble(-0.0); p.writeFieldEnd();
            p.writeFieldBegin(new TField("s", TType.STRING, (short) 9)); p.writeString("z\u00e9\ud83d\ude00"); p.writeFieldEnd();
            p.writeFieldStop(); p.writeStructEnd(); p.writeMessageEnd();
            System.out.println(f.getClass().getName() + " " + b.length());
            TMessage m = p.readMessageBegin(); p.readStructBegin(); p.readFieldBegin();
            TList l = p.readListBegin(); long t = 0; for (int i = 0; i < l.size; i++) t = t * 31 + p.readI64();
            p.readListEnd(); p.readFieldEnd(); p.readFieldBegin(); double d = p.readDouble(); p.readFieldEnd(); p.readFieldBegin();
            System.out.println(m.name + " " + t + " " + d + " " + p.readString());
        }
    }
}
JAVA
run() { vm "$1" Recs; }
compare run
