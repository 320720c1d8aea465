#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
# extent: suite
#
# keytool and jarsigner: keys, certificates, requests, signing, verifying, a tampered archive.
. "$(dirname "$0")/common.sh"
cd "$work" && mkdir -p in && echo one >in/a.txt && echo two >in/b.txt && find in -exec touch -d 2020-01-02T03:04:05Z {} +
run() {
    local k="$1/bin/keytool $J -keystore store -storepass secret12 -keypass secret12"
    local day="-startdate 2024/01/02 -validity 36500"
    {
    $k -genkeypair -alias ca -keyalg RSA -keysize 2048 $day -dname CN=Ca -ext bc:c &&
        $k -genkeypair -alias me -keyalg EC -groupname secp256r1 $day -dname "CN=Me, O=Work, C=DE" &&
        $k -genkeypair -alias ed -keyalg Ed25519 $day -dname CN=Ed &&
        $k -certreq -alias me -file me.csr &&
        $k -gencert -alias ca -infile me.csr -outfile me.crt $day -ext san=dns:localhost -rfc &&
        $k -importcert -noprompt -alias ca2 -file <($k -exportcert -alias ca -rfc) &&
        $k -importcert -alias me -file me.crt -noprompt &&
        $k -genseckey -alias sec -keyalg AES -keysize 128
    $k -list
    $k -list -v -alias me
    $k -printcertreq -file me.csr
    $k -list -storepass wrongpass
    $k -exportcert -alias nobody
    "$1/bin/jar" --create --file a.jar -C "$work/in" .
    "$1/bin/jarsigner" $J -keystore store -storepass secret12 a.jar me
    "$1/bin/jarsigner" $J -keystore store -storepass secret12 -verify -verbose -certs a.jar
    mkdir x && (cd x && "$1/bin/jar" xf ../a.jar && echo changed >a.txt && "$1/bin/jar" cfm ../b.jar META-INF/MANIFEST.MF .)
    "$1/bin/jarsigner" $J -verify b.jar
    echo "exit $?"
    } 2>&1 | sed -E 's/([0-9A-F]{2}:){7,}[0-9A-F]{2}/HEX/g; s/^(Serial number:|[0-9a-f]{4}:).*/\1 .../; s/[A-Z][a-z]{2} [0-9]{1,2}, 20[0-9]{2}/DATE/g
        s/[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} UTC [0-9]{4}/DATE/g; s/^( *|[a-z]+ +)[0-9]+ DATE/\1N DATE/; s/^[ 0-9A-F]{4}: .*|^0*[0-9A-F]{4}: .*/dump/'
    rm -rf store x a.jar b.jar me.*
}
compare run
