// SPDX-License-Identifier: Apache-2.0
import java.io.*;
import java.util.*;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.*;
import org.apache.lucene.store.*;
import org.apache.lucene.util.Version;

/** Lucene: DOCUMENTS into an index on disk, then QUERIES of several kinds. */
public class SearchIndex {
    static final String[] SYLLABLES = "ba co di fu ga he ki lo mu na po ra se ti vo".split(" ");

    static String word(Random r) {
        int n = (int) Math.min(4095, Math.abs(r.nextGaussian()) * 900);
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 3; i++, n /= SYLLABLES.length) b.append(SYLLABLES[n % SYLLABLES.length]);
        return b.append(n % 3 == 0 ? "ing" : n % 3 == 1 ? "ed" : "s").toString();
    }

    static String text(Random r, int words) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < words; i++) b.append(word(r)).append(i % 11 == 10 ? ". The " : " ");
        return b.toString();
    }

    static void index(Directory d, EnglishAnalyzer analyzer, int documents) throws IOException {
        Random r = new Random(documents);
        try (IndexWriter w = new IndexWriter(d, new IndexWriterConfig(Version.LATEST, analyzer).setMaxBufferedDocs(1000)
                .setMergeScheduler(new SerialMergeScheduler()))) {
            for (int i = 0; i < documents; i++) {
                Document doc = new Document();
                doc.add(new IntField("id", i, Field.Store.YES));
                doc.add(new StringField("key", "k" + i % 100, Field.Store.YES));
                doc.add(new TextField("body", text(r, 120), Field.Store.YES));
                doc.add(new NumericDocValuesField("rank", i * 7919L % 1000));
                w.addDocument(doc);
            }
            w.forceMerge(2);
        }
    }

    static long search(Directory d, EnglishAnalyzer analyzer, int queries) throws Exception {
        Random r = new Random(queries);
        long sum = 0;
        try (DirectoryReader reader = DirectoryReader.open(d)) {
            IndexSearcher s = new IndexSearcher(reader);
            Sort byRank = new Sort(new SortField("rank", SortField.Type.LONG), new SortField("id", SortField.Type.INT));
            for (int i = 0; i < queries; i++) {
                String a = word(r), b = word(r), c = word(r);
                String[] forms = {a, a + " AND " + b, "\"" + a + " " + b + "\"~4", a.substring(0, 3) + "* -" + c, a + "~1", "+" + a + " +(" + b + " " + c + ")"};
                Query q = new QueryParser("body", analyzer).parse(forms[i % forms.length]);
                TopDocs top = i % 2 == 0 ? s.search(q, 10) : s.search(q, null, 10, byRank);
                sum = sum * 31 + top.totalHits;
                for (ScoreDoc sd : top.scoreDocs) sum = sum * 31 + s.doc(sd.doc).get("body").length();
            }
        }
        return sum;
    }

    public static void main(String[] a) throws Exception {
        EnglishAnalyzer analyzer = new EnglishAnalyzer();
        try (Directory d = new MMapDirectory(new File("index"))) {
            index(d, analyzer, Integer.parseInt(a[0]));
            System.out.println(search(d, analyzer, Integer.parseInt(a[1])));
            for (String file : d.listAll()) d.deleteFile(file); // they have times in them
        }
    }
}
