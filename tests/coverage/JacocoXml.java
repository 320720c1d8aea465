/* SPDX-License-Identifier: Apache-2.0 */
// Makes JaCoCo's XML report: JacocoXml EXEC OUT.xml CLASSES...   (only classes that EXEC knows)
import java.io.*;
import java.util.*;
import org.jacoco.core.analysis.*;
import org.jacoco.core.data.*;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.*;
import org.jacoco.report.xml.XMLFormatter;

public class JacocoXml {
    public static void main(String[] args) throws Exception {
        ExecFileLoader exec = new ExecFileLoader();
        exec.load(new File(args[0]));
        CoverageBuilder all = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(exec.getExecutionDataStore(), all);
        for (int i = 2; i < args.length; i++)
            analyzer.analyzeAll(new File(args[i]));
        // A class that was never loaded has no execution data; our data file does not know it either.
        CoverageBuilder loaded = new CoverageBuilder();
        for (IClassCoverage c : all.getClasses())
            if (exec.getExecutionDataStore().get(c.getId()) != null)
                loaded.visitCoverage(c);
        try (OutputStream out = new FileOutputStream(args[1])) {
            IReportVisitor v = new XMLFormatter().createVisitor(out);
            v.visitInfo(exec.getSessionInfoStore().getInfos(), Collections.<ExecutionData>emptyList());
            v.visitBundle(loaded.getBundle("jacoco"), null);
            v.visitEnd();
        }
    }
}
