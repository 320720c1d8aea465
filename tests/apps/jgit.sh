#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 400
# packages: libjgit-java libslf4j-java libjsch-java libjavaewah-java
# extent: suite
#
# JGit: a repository with branches, a merge with a conflict, packs, log, diff, blame; object ids are those of git.
. "$(dirname "$0")/common.sh"
jars org.eclipse.jgit slf4j-api slf4j-nop javaewah jsch
driver Repo <<'JAVA'
import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.eclipse.jgit.api.*;
import org.eclipse.jgit.diff.*;
import org.eclipse.jgit.lib.*;
import org.eclipse.jgit.revwalk.*;
public class Repo {
    static Git g;
    static int when = 1_700_000_000;
    static RevCommit commit(String file, String text, String message) throws Exception {
        Files.writeString(Path.of("repo", file), text);
        g.add().addFilepattern(".").call();
        PersonIdent who = new PersonIdent("A", "a@x", new Date(1000L * (when += 60)), TimeZone.getTimeZone("UTC"));
        return g.commit().setAuthor(who).setCommitter(who).setMessage(message).call();
    }
    public static void main(String[] a) throws Exception {
        g = Git.init().setDirectory(new File("repo")).call();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200; i++) text.append("line ").append(i).append('\n');
        RevCommit first = commit("a.txt", text.toString(), "first");
        g.branchCreate().setName("side").call();
        for (int i = 0; i < 30; i++) commit("b" + i % 7, "v" + i, "change " + i);
        commit("a.txt", text.toString().replace("line 50", "main 50"), "main edit");
        g.checkout().setName("side").call();
        RevCommit side = commit("a.txt", text.toString().replace("line 50", "side 50").replace("line 150", "side 150"), "side edit");
        g.checkout().setName("master").call();
        MergeResult m = g.merge().include(side).setCommit(false).call();
        System.out.println(m.getMergeStatus() + " " + m.getConflicts().keySet());
        System.out.println(Files.readString(Path.of("repo/a.txt")).lines().filter(l -> l.matches("[<>=].*")).map(l -> l.split(" ")[0]).toList());
        commit("a.txt", text.toString().replace("line 50", "both"), "resolved");
        for (RevCommit c : g.log().call()) System.out.println(c.name() + " " + c.getParentCount() + " " + c.getShortMessage());
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        DiffFormatter f = new DiffFormatter(o);
        f.setRepository(g.getRepository());
        f.format(first.getTree(), g.log().setMaxCount(1).call().iterator().next().getTree());
        System.out.println(o.toString());
        System.out.println(g.blame().setFilePath("a.txt").call().getSourceCommit(50).getShortMessage());
        System.out.println(new TreeMap<>(g.gc().call()).containsKey("numberOfPackFiles"));
        System.out.println(g.status().call().isClean() + " " + g.getRepository().resolve("HEAD~3^{tree}").name());
        try { g.checkout().setName("none").call(); } catch (Exception e) { System.out.println(e.getMessage()); }
        Git copy = Git.cloneRepository().setURI("file://" + new File("repo").getAbsolutePath()).setDirectory(new File("copy")).call();
        System.out.println(copy.getRepository().resolve("HEAD").name() + " " + copy.branchList().setListMode(ListBranchCommand.ListMode.REMOTE).call().size());
    }
}
JAVA
run() { vm "$1" -Duser.home="$PWD" Repo; local c=$?; git -C repo fsck --strict 2>&1 | grep -v dangling; git -C repo log --format=%T -3; rm -rf repo copy .config .jgitconfig; return $c; }
compare run
