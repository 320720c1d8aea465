/* SPDX-License-Identifier: Apache-2.0 */
/* swap_peer.h - who is at the other end of a connection? */
#ifndef SWAP_PEER_H
#define SWAP_PEER_H

#include <stdbool.h>

/* Does the process at the other end belong to this user, or to root?  fd is an accepted connection, on a Unix socket or to 127.0.0.1. */
bool swap_peer_is_user(int fd);

#endif
