// SPDX-License-Identifier: Apache-2.0
public class AgentHello {
    public static void main(String[] args) throws Exception {
        System.out.println("hello " + System.getProperty("my.own") + " " + System.getProperty("my.other"));
        for (String name : args) {
            try {
                Class<?> c = Class.forName(name);
                System.out.println(name + " of " + (c.getClassLoader() == null ? "boot" : c.getClassLoader().getName()));
            } catch (Throwable t) {
                System.out.println(t);
            }
        }
    }
}
