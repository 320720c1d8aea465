/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_channel.c - sockets and lines; see swap_channel.h. A client that does not read its answers is dropped. What a connection
 * is for is settled by its first line and stays so: a browser, whose page may be anybody's, gives no commands.
 */
#include "swap_channel.h"
#include "swap_http.h"
#include "swap_peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

typedef enum Talk { TALK_NEW, TALK_LINES, TALK_HTTP, TALK_EVENTS } Talk;

typedef struct Client {
    int fd; /* 0: free */
    Talk talk;
    SwapHttp request;
    size_t len;
    char *line;
} Client;

static int listeners[SWAP_LISTENERS] = {-1, -1, -1, -1, -1, -1}; /* the port, sockets; a socket is never closed */
static Client clients[SWAP_CLIENTS];
static char *socket_paths[SWAP_LISTENERS];

static bool listen_at(int fd, const struct sockaddr *at, socklen_t len) {
    return fd >= 0 && bind(fd, at, len) == 0 && listen(fd, SWAP_CLIENTS) == 0;
}

static bool open_port(const Agent *a, int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (!listen_at(fd, (struct sockaddr *)&at, len) || getsockname(fd, (struct sockaddr *)&at, &len))
        return agent_refuse(a, "port %d: %m", port);
    listeners[0] = fd;
    agent_log(a, AGENT_INFO, "commands on 127.0.0.1:%d", ntohs(at.sin_port));
    return true;
}

/* Only the user may connect: the file has mode 600 from the first moment. */
static bool open_socket(const Agent *a, int slot, const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct stat st;
    if (strlen(path) >= sizeof at.sun_path) return agent_refuse(a, "socket %s: the path is too long", path);
    strcpy(at.sun_path, path);
    if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode)) unlink(path); /* left over */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) fchmod(fd, 0600); /* bind takes the file's mode from it */
    if (!listen_at(fd, (struct sockaddr *)&at, sizeof at)) return agent_refuse(a, "socket %s: %m", path);
    __atomic_store_n(&socket_paths[slot], strdup(path), __ATOMIC_RELEASE);
    __atomic_store_n(&listeners[slot], fd, __ATOMIC_RELEASE);
    agent_log(a, AGENT_INFO, "commands on %s", path);
    return true;
}

bool swap_channel_open(const Agent *a, int port, const char *path) {
    if (port > 65535) return agent_refuse(a, "port %d: no such port", port);
    return (port < 0 || open_port(a, port)) && (!path || open_socket(a, 1, path));
}

bool swap_channel_add(const Agent *a, const char *path) {
    for (int i = 1; i < SWAP_LISTENERS; i++)
        if (!socket_paths[i]) return open_socket(a, i, path);
    return agent_refuse(a, "socket %s: there are %d already", path, SWAP_LISTENERS - 1);
}

void swap_channel_close(void) {
    for (int i = 1; i < SWAP_LISTENERS; i++) {
        char *path = __atomic_exchange_n(&socket_paths[i], NULL, __ATOMIC_ACQ_REL);
        if (path) unlink(path);
        free(path);
    }
}

void swap_channel_undo(void) {
    swap_channel_close();
    for (int i = 0; i < SWAP_LISTENERS; i++) {
        if (listeners[i] >= 0) close(listeners[i]);
        listeners[i] = -1;
    }
}

int swap_channel_fds(struct pollfd *fds) {
    int n = 0;
    for (int i = 0; i < SWAP_LISTENERS; i++) {
        int fd = __atomic_load_n(&listeners[i], __ATOMIC_ACQUIRE);
        if (fd >= 0) fds[n++] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
    for (int i = 0; i < SWAP_CLIENTS; i++)
        if (clients[i].fd) fds[n++] = (struct pollfd){.fd = clients[i].fd, .events = POLLIN};
    return n;
}

static void drop(Client *c) {
    close(c->fd);
    free(c->line);
    *c = (Client){0};
}

static void new_client(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    if (!swap_peer_is_user(fd)) return (void)close(fd); /* another user of this machine */
    for (int i = 0; i < SWAP_CLIENTS; i++)
        if (!clients[i].fd && (clients[i].line = malloc(SWAP_LINE))) {
            clients[i].fd = fd;
            return;
        }
    close(fd);
}

static bool send_all(Client *c, const char *text, size_t len, int patience) {
    bool ok = true;
    for (size_t done = 0; ok && done < len;) {
        ssize_t n = send(c->fd, text + done, len - done, MSG_NOSIGNAL);
        struct pollfd p = {.fd = c->fd, .events = POLLOUT};
        if (n > 0) done += (size_t)n;
        else ok = n < 0 && (errno == EINTR || (errno == EAGAIN && poll(&p, 1, patience) > 0));
    }
    return ok;
}

/* What the connection says first. Neither HTTP nor text: TLS, whose greeting may hold anything. */
static bool begin(Client *c, const char *line) {
    if (swap_http_begins(&c->request, line)) c->talk = TALK_HTTP;
    else c->talk = TALK_LINES;
    return *line >= ' ' || !*line;
}

/* False: the connection ends. */
static bool answer_line(Client *c, char *line, SwapCommand command, void *arg) {
    char *text = NULL;
    size_t len = 0;
    if (c->talk == TALK_EVENTS) return true;
    if (c->talk == TALK_NEW) {
        if (!begin(c, line)) return false;
        if (c->talk == TALK_HTTP) return true;
    }
    if (c->talk == TALK_HTTP && *line) return swap_http_header(&c->request, line), true;
    FILE *out = open_memstream(&text, &len);
    if (!out) return false;
    bool stays = true;
    if (c->talk == TALK_LINES) command(arg, line, out);
    else if ((stays = swap_http_answer(&c->request, out))) c->talk = TALK_EVENTS;
    if (fclose(out)) return free(text), false;
    bool ok = send_all(c, text, len, 2000);
    free(text);
    if (!stays) shutdown(c->fd, SHUT_WR);
    return ok && stays;
}

void swap_channel_tell(const char *event, const char *json) {
    char *text = NULL;
    int len = asprintf(&text, "event: %s\ndata: %s\n\n", event, json);
    for (int i = 0; len > 0 && i < SWAP_CLIENTS; i++)
        if (clients[i].fd && clients[i].talk == TALK_EVENTS && !send_all(&clients[i], text, (size_t)len, 100)) drop(&clients[i]);
    if (len > 0) free(text);
}

static void read_client(Client *c, SwapCommand command, void *arg) {
    ssize_t n = recv(c->fd, c->line + c->len, SWAP_LINE - c->len, 0);
    if (n <= 0) {
        if (!n || (errno != EAGAIN && errno != EINTR)) drop(c);
        return;
    }
    c->len += (size_t)n;
    for (char *end; (end = memchr(c->line, '\n', c->len));) {
        *end = 0;
        if (end > c->line && end[-1] == '\r') end[-1] = 0;
        if (!answer_line(c, c->line, command, arg)) return drop(c);
        c->len -= (size_t)(end + 1 - c->line);
        memmove(c->line, end + 1, c->len);
    }
    if (c->len == SWAP_LINE) drop(c); /* no end of line in 64 KiB */
}

void swap_channel_serve(const struct pollfd *fds, int n, SwapCommand command, void *arg) {
    for (int k = 0; k < n; k++) {
        if (!fds[k].revents) continue;
        bool listens = false;
        for (int i = 0; i < SWAP_LISTENERS; i++) listens |= fds[k].fd == __atomic_load_n(&listeners[i], __ATOMIC_ACQUIRE);
        if (listens) new_client(fds[k].fd);
        for (int i = 0; !listens && i < SWAP_CLIENTS; i++)
            if (clients[i].fd == fds[k].fd) read_client(&clients[i], command, arg);
    }
}
