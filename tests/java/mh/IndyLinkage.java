// SPDX-License-Identifier: Apache-2.0
// javac: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// options: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
import jdk.internal.org.objectweb.asm.*; import java.lang.invoke.*; import java.lang.reflect.Method; import java.lang.reflect.InvocationTargetException;
import static jdk.internal.org.objectweb.asm.Opcodes.*;
/** Linking of invokedynamic, dynamic and method-handle constants: values, failures, where they are thrown. */
public class IndyLinkage {
 public static int calls; 
 public static CallSite ok(MethodHandles.Lookup l,String n,MethodType t,Object... a) throws Throwable { calls++; return new ConstantCallSite(MethodHandles.dropArguments(MethodHandles.constant(t.returnType(), t.returnType()==int.class?(Object)a.length:("v"+java.util.Arrays.toString(a))),0,t.parameterList())); }
 public static CallSite rt(MethodHandles.Lookup l,String n,MethodType t) { calls++; throw new IllegalStateException("rt"+calls); }
 public static CallSite err(MethodHandles.Lookup l,String n,MethodType t) { calls++; throw new AssertionError("err"+calls); }
 public static CallSite chk(MethodHandles.Lookup l,String n,MethodType t) throws Exception { calls++; throw new Exception("chk"+calls); }
 public static CallSite nul(MethodHandles.Lookup l,String n,MethodType t) { return null; }
 public static Object notcs(MethodHandles.Lookup l,String n,MethodType t) { return "x"; }
 public static CallSite wrongtype(MethodHandles.Lookup l,String n,MethodType t) { return new ConstantCallSite(MethodHandles.constant(String.class,"q")); }
 public static int badsig(String a) { return 1; }
 public static Object condy(MethodHandles.Lookup l,String n,Class<?> t,Object... a) throws Throwable { calls++; switch(n){case "i":return 42;case "j":return 1L<<40;case "d":return 2.5;case "s":return "str"+java.util.Arrays.toString(a);case "nul":return null;case "thr":throw new RuntimeException("condy"+calls);case "z":return true;case "c":return 'x';case "b":return (byte)-3;case "wrong":return "notint"; case "err": throw new StackOverflowError("mine");default:return a;} }
 static int seq;
 static Handle h(String n,String d){ return new Handle(H_INVOKESTATIC,"IndyLinkage",n,d,false); }
 static final String BS="(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;";
 static final String CB="(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;[Ljava/lang/Object;)Ljava/lang/Object;";
 interface Gen { void gen(MethodVisitor m); }
 static void run(String name, String desc, Gen g, Object... args){ 
  ClassWriter w=new ClassWriter(ClassWriter.COMPUTE_MAXS); String cn="G"+(seq++); w.visit(V11,ACC_PUBLIC,cn,null,"java/lang/Object",null);
  MethodVisitor m=w.visitMethod(ACC_PUBLIC|ACC_STATIC,"m",desc,null,null); m.visitCode(); g.gen(m); m.visitMaxs(0,0); m.visitEnd(); w.visitEnd();
  try { Class<?> c=MethodHandles.lookup().defineClass(w.toByteArray()); Method mm=c.getMethods()[0];
   for(int i=0;i<2;i++) try { System.out.println((name+": "+mm.invoke(null,args)+" calls "+calls).replaceAll("@[0-9a-f]+","@H")); } catch(InvocationTargetException e){ Throwable t=e.getCause(); StringBuilder s=new StringBuilder(); for(;t!=null;t=i==0?t.getCause():null) s.append(" <- ").append(t.toString().replaceAll("@[0-9a-f]+","@H")); System.out.println(name+s+" calls "+calls); StackTraceElement[] st=e.getCause().getStackTrace(); for(int k=0;k<Math.min(4,st.length);k++) System.out.println("   "+st[k]); }
  } catch(Throwable t){ System.out.println(name+" T "+t); } }
 public static void main(String[] a) throws Throwable {
  run("ok int","()I",m->{m.visitInvokeDynamicInsn("f","()I",h("ok",BS+"[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"));m.visitInsn(IRETURN);});
  run("ok args","(ILjava/lang/String;J)Ljava/lang/String;",m->{m.visitVarInsn(ILOAD,0);m.visitVarInsn(ALOAD,1);m.visitVarInsn(LLOAD,2);m.visitInvokeDynamicInsn("f","(ILjava/lang/String;J)Ljava/lang/String;",h("ok",BS+"[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"),1,2L,3f,4d,"s",Type.getType("Ljava/lang/String;"),Type.getMethodType("(I)V"),h("badsig","(Ljava/lang/String;)I"),new ConstantDynamic("i","I",h("condy",CB)));m.visitInsn(ARETURN);},1,"x",2L);
  run("one array","()Ljava/lang/String;",m->{m.visitInvokeDynamicInsn("f","()Ljava/lang/String;",h("ok",BS+"[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"),new ConstantDynamic("arr","[Ljava/lang/Object;",h("condy",CB),1,2));m.visitInsn(ARETURN);});
  for (String k: new String[]{"rt","err","chk","nul","notcs","wrongtype"}) run(k,"()I",m->{m.visitInvokeDynamicInsn("f","()I",h(k,BS+")"+(k.equals("notcs")?"Ljava/lang/Object;":"Ljava/lang/invoke/CallSite;")));m.visitInsn(IRETURN);});
  run("badsig","()I",m->{m.visitInvokeDynamicInsn("f","()I",h("badsig","(Ljava/lang/String;)I"));m.visitInsn(IRETURN);});
  run("missing bsm","()I",m->{m.visitInvokeDynamicInsn("f","()I",h("nosuch",BS+")Ljava/lang/invoke/CallSite;"));m.visitInsn(IRETURN);});
  run("missing cls","()I",m->{m.visitInvokeDynamicInsn("f","()I",new Handle(H_INVOKESTATIC,"NoSuchClass","x",BS+")Ljava/lang/invoke/CallSite;",false));m.visitInsn(IRETURN);});
  run("missing type","()V",m->{m.visitInsn(ACONST_NULL);m.visitInvokeDynamicInsn("f","(LNoSuchClass;)V",h("ok",BS+"[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;"));m.visitInsn(RETURN);});
  String[][] cs={{"i","I"},{"z","Z"},{"c","C"},{"b","B"}}; 
  for(String[] c:cs) run("condy "+c[0],"()I",m->{m.visitLdcInsn(new ConstantDynamic(c[0],c[1],h("condy",CB)));m.visitInsn(IRETURN);});
  run("condy j","()J",m->{m.visitLdcInsn(new ConstantDynamic("j","J",h("condy",CB)));m.visitInsn(LRETURN);});
  run("condy d","()D",m->{m.visitLdcInsn(new ConstantDynamic("d","D",h("condy",CB)));m.visitInsn(DRETURN);});
  for(String k:new String[]{"s","nul","thr","err"}) run("condy "+k,"()Ljava/lang/String;",m->{m.visitLdcInsn(new ConstantDynamic(k,"Ljava/lang/String;",h("condy",CB),1,"a"));m.visitInsn(ARETURN);});
  run("condy wrong","()I",m->{m.visitLdcInsn(new ConstantDynamic("wrong","I",h("condy",CB)));m.visitInsn(IRETURN);});
  run("condy wrong ref","()Ljava/lang/Integer;",m->{m.visitLdcInsn(new ConstantDynamic("wrong","Ljava/lang/Integer;",h("condy",CB)));m.visitInsn(ARETURN);});
  run("mh const","()Ljava/lang/Object;",m->{m.visitLdcInsn(h("badsig","(Ljava/lang/String;)I"));m.visitInsn(ARETURN);});
  run("mh missing","()Ljava/lang/Object;",m->{m.visitLdcInsn(h("zip","(Ljava/lang/String;)I"));m.visitInsn(ARETURN);});
  run("mh notstatic","()Ljava/lang/Object;",m->{m.visitLdcInsn(new Handle(H_INVOKEVIRTUAL,"IndyLinkage","badsig","(Ljava/lang/String;)I",false));m.visitInsn(ARETURN);});
  run("mh field","()Ljava/lang/Object;",m->{m.visitLdcInsn(new Handle(H_GETSTATIC,"IndyLinkage","calls","I",false));m.visitInsn(ARETURN);});
  run("mh ctor","()Ljava/lang/Object;",m->{m.visitLdcInsn(new Handle(H_NEWINVOKESPECIAL,"java/lang/StringBuilder","<init>","(I)V",false));m.visitInsn(ARETURN);});
  run("mh priv","()Ljava/lang/Object;",m->{m.visitLdcInsn(new Handle(H_GETFIELD,"java/lang/String","hash","I",false));m.visitInsn(ARETURN);});
  run("mt","()Ljava/lang/Object;",m->{m.visitLdcInsn(Type.getMethodType("(ILjava/util/List;[[J)Ljava/lang/String;"));m.visitInsn(ARETURN);});
  run("mt missing","()Ljava/lang/Object;",m->{m.visitLdcInsn(Type.getMethodType("(LNope;)V"));m.visitInsn(ARETURN);});
  run("invokeExact bad","()V",m->{m.visitLdcInsn(h("badsig","(Ljava/lang/String;)I"));m.visitInsn(ICONST_1);m.visitMethodInsn(INVOKEVIRTUAL,"java/lang/invoke/MethodHandle","invokeExact","(I)V",false);m.visitInsn(RETURN);});
  run("invoke null","()V",m->{m.visitInsn(ACONST_NULL);m.visitTypeInsn(CHECKCAST,"java/lang/invoke/MethodHandle");m.visitInsn(ICONST_1);m.visitMethodInsn(INVOKEVIRTUAL,"java/lang/invoke/MethodHandle","invokeExact","(I)V",false);m.visitInsn(RETURN);});
  run("linkToStatic","()V",m->{m.visitInsn(ACONST_NULL);m.visitMethodInsn(INVOKESTATIC,"java/lang/invoke/MethodHandle","linkToStatic","(Ljava/lang/Object;)V",false);m.visitInsn(RETURN);});
 } }
