#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# packages: liblucene4.10-java
# extent: suite
#
# Lucene: index in memory and on disk (mmap), queries, highlighting, merges, concurrent writers, a corrupt index.
. "$(dirname "$0")/common.sh"
jars lucene-{core,analyzers-common,queryparser,queries,highlighter,memory,facet}-4.10.4
driver LuceneApp <<'JAVA'
import java.io.*;
import java.util.*;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.*;
import org.apache.lucene.search.highlight.*;
import org.apache.lucene.store.*;
import org.apache.lucene.util.Version;

public class LuceneApp {
    static final String[] WORDS = "apple banana running runner jumps quickly lazy dog fox river mountain computing virtual machine garbage collector".split(" ");
    static String text(int n) {
        Random r = new Random(n);
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 30; i++) b.append(WORDS[(int) (Math.abs(r.nextGaussian()) * 6) % WORDS.length]).append(' ');
        return b.toString();
    }
    public static void main(String[] a) throws Exception {
        for (Directory d : new Directory[] {new RAMDirectory(), new MMapDirectory(new File("index")), new NIOFSDirectory(new File("index2"))}) {
            EnglishAnalyzer an = new EnglishAnalyzer();
            IndexWriterConfig cfg = new IndexWriterConfig(Version.LATEST, an).setMaxBufferedDocs(50);
            try (IndexWriter w = new IndexWriter(d, cfg)) {
                Thread[] ts = new Thread[3];
                for (int t = 0; t < ts.length; t++) {
                    int k = t;
                    (ts[t] = new Thread(() -> {
                        try {
                            for (int i = k; i < 900; i += 3) {
                                Document doc = new Document();
                                doc.add(new IntField("id", i, Field.Store.YES));
                                doc.add(new StringField("key", "k" + i, Field.Store.YES));
                                doc.add(new TextField("body", text(i), Field.Store.YES));
                                doc.add(new NumericDocValuesField("rank", i * 7919 % 1000));
                                w.addDocument(doc);
                            }
                        } catch (IOException e) { e.printStackTrace(); }
                    })).start();
                }
                for (Thread t : ts) t.join();
                w.deleteDocuments(new Term("key", "k10"), new Term("key", "k11"));
                w.updateDocument(new Term("key", "k12"), new Document());
                w.forceMerge(1);
                w.commit();
                System.out.println(w.numDocs());
            }
            try (DirectoryReader r = DirectoryReader.open(d)) {
                IndexSearcher s = new IndexSearcher(r);
                for (String q : new String[] {"run", "body:\"virtual machine\"~2", "appl* AND -dog", "jump~1", "id:[1 TO 2]", "+fox +(river mountain)"}) {
                    Query query = new QueryParser("body", an).parse(q);
                    TopDocs td = s.search(query, null, 5, new Sort(new SortField("rank", SortField.Type.LONG)));
                    StringBuilder b = new StringBuilder(q + " -> " + td.totalHits + ":");
                    for (ScoreDoc sd : td.scoreDocs) b.append(' ').append(s.doc(sd.doc).get("id"));
                    System.out.println(b);
                }
                TopDocs td = s.search(NumericRangeQuery.newIntRange("id", 100, 110, true, true), 20);
                System.out.println(td.totalHits);
                Query q = new QueryParser("body", an).parse("collecting garbage");
                Highlighter h = new Highlighter(new SimpleHTMLFormatter(), new QueryScorer(q));
                System.out.println(h.getBestFragment(an, "body", "The garbage collector collects garbage that was collected"));
                System.out.println(s.search(q, 3).scoreDocs[0].score > 0);
            }
            if (d instanceof MMapDirectory) {
                CheckIndex c = new CheckIndex(d);
                System.out.println("clean " + c.checkIndex().clean);
                File f = Arrays.stream(new File("index").listFiles()).filter(x -> x.getName().endsWith(".cfs") || x.getName().endsWith(".fdt")).sorted().findFirst().get();
                try (RandomAccessFile raf = new RandomAccessFile(f, "rw")) { raf.setLength(raf.length() / 2); }
                try { DirectoryReader.open(d); } catch (IOException e) { System.out.println(e.getClass()); }
            }
            d.close();
        }
    }
}
JAVA
run() { vm "$1" LuceneApp; local c=$?; rm -rf index index2; return $c; }
compare run
