/* SPDX-License-Identifier: Apache-2.0 */
// Makes JaCoCo's XML report: JacocoXml EXEC OUT.xml CLASSES...
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
        try (OutputStream out = new FileOutputStream(args[1])) {
            IReportVisitor v = new XMLFormatter().createVisitor(out);
            v.visitInfo(exec.getSessionInfoStore().getInfos(), Collections.<ExecutionData>emptyList());
            v.visitBundle(all.getBundle("jacoco"), null);
            v.visitEnd();
        }
    }
}
