#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
# packages: plantuml
# extent: suite
#
# PlantUML: class, sequence and state diagrams as text and SVG, a syntax error.
. "$(dirname "$0")/common.sh"
need /usr/share/plantuml/plantuml.jar; cp=/usr/share/plantuml/plantuml.jar:
run() {
    printf '@startuml\nclass A {\n +m(): int\n}\nA <|-- B\nB *-- "many" C : has\ninterface I\nI <|.. C\n@enduml\n' >c.puml
    printf '@startuml\nAlice -> Bob: hello\nalt ok\nBob --> Alice: back\nelse\nBob ->x Alice\nend\nnote over Bob: text\n@enduml\n' >s.puml
    printf '@startuml\nthis is no diagram\n@enduml\n' >bad.puml
    vm "$1" -Djava.awt.headless=true net.sourceforge.plantuml.Run -utxt s.puml; echo "exit $?"
    vm "$1" -Djava.awt.headless=true net.sourceforge.plantuml.Run -tsvg -nometadata s.puml; echo "exit $?"
    vm "$1" -Djava.awt.headless=true net.sourceforge.plantuml.Run -syntax <c.puml; vm "$1" -Djava.awt.headless=true net.sourceforge.plantuml.Run -tutxt bad.puml; echo "exit $?"
    ls; cat ./*.utxt; md5sum ./*.svg; rm -f ./*
}
compare run
