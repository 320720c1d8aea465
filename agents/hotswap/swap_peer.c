/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_peer.c - the user at the other end.  A Unix socket knows it (SO_PEERCRED).  Of a connection over the loopback device the
 * kernel tells in /proc/net/tcp and tcp6: the row whose local end is the peer's address has the user of its socket.  What cannot be
 * found out counts as a stranger.
 */
#include "swap_peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool is_trusted(uid_t uid) { return uid == geteuid() || uid == 0; }

/* The address as the tables write it: 127.0.0.1 alone, or as the end of an IPv6 address. */
static bool is_loopback(const char *hex) {
    size_t n = strlen(hex);
    return n >= 8 && strcmp(hex + n - 8, "0100007F") == 0;
}

static bool find_owner(const char *table, unsigned local, unsigned remote, unsigned *uid) {
    FILE *f = fopen(table, "re");
    char line[512], from[40], to[40];
    unsigned from_port, to_port;
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, " %*d: %39[0-9A-F]:%x %39[0-9A-F]:%x %*x %*x:%*x %*x:%*x %*x %u", from, &from_port, to, &to_port,
                       uid) == 5 &&
                from_port == local && to_port == remote && is_loopback(from) && is_loopback(to);
    if (f) fclose(f);
    return found;
}

bool swap_peer_is_user(int fd) {
    struct sockaddr_storage at = {0};
    struct sockaddr_in peer, own;
    socklen_t len = sizeof at, peer_len = sizeof peer, own_len = sizeof own;
    if (getsockname(fd, (struct sockaddr *)&at, &len)) return false;
    if (at.ss_family == AF_UNIX) {
        struct ucred who;
        len = sizeof who;
        return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 && is_trusted(who.uid);
    }
    unsigned uid;
    if (getpeername(fd, (struct sockaddr *)&peer, &peer_len) || getsockname(fd, (struct sockaddr *)&own, &own_len)) return false;
    unsigned local = ntohs(peer.sin_port), remote = ntohs(own.sin_port);
    return (find_owner("/proc/net/tcp", local, remote, &uid) || find_owner("/proc/net/tcp6", local, remote, &uid)) &&
           is_trusted(uid);
}
