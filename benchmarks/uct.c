/* UCT with random playouts in plain C, without a trace: the limit of what a search can cost.

   Pieces are the bits of two integers. Whatever has few values is looked up in a table, siblings lie
   side by side, and random numbers are xorshift64*, not Python's. One search starts at the empty
   board; it returns the visits of the most visited move. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;
typedef struct {
    double mean, inv_sqrt_visits, wins;
    int32_t visits, first;
    uint8_t moves, tried, action, player_just_moved;
} Node;
enum { KNOWN = 1 << 15 };

static const u64 LINES[8] = {7, 56, 448, 73, 146, 292, 273, 84};
static uint8_t HAS_LINE[512];
static double ROOTS[KNOWN];

__attribute__((constructor)) static void fill(void) {
    for (int board = 0; board < 512; board++)
        for (int i = 0; i < 8; i++) HAS_LINE[board] |= (board & LINES[i]) == LINES[i];
    for (int visits = 1; visits < KNOWN; visits++) ROOTS[visits] = sqrt(log(visits));
}

static inline int has_line(u64 p, const int tic_tac_toe) {
    if (tic_tac_toe) return HAS_LINE[p];
    u64 up = p & p >> 1, down = p & p >> 6, across = p & p >> 7, rising = p & p >> 8;
    return ((up & up >> 2) | (down & down >> 12) | (across & across >> 14) | (rising & rising >> 16)) != 0;
}

static inline u64 cell_of(u64 all, int action, const int tic_tac_toe) {
    if (tic_tac_toe) return ~all & 1ull << action;
    return (all + (1ull << 7 * action)) & 63ull << 7 * action;
}

static inline int below(u64 *state, int n) {
    u64 x = *state;
    x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
    *state = x;
    return (int)((x * 2685821657736338717ull >> 32) * (u64)n >> 32);
}

static inline int search(int iterations, double c, u64 seed, const int tic_tac_toe) {
    const int width = tic_tac_toe ? 9 : 7;
    Node *nodes = malloc(sizeof(Node) * (2 + (size_t)iterations * width));
    int used = 2, path[64];
    u64 random = seed * 0x9E3779B97F4A7C15ull + 1;
    nodes[1] = (Node){.player_just_moved = 1};
    for (int iteration = 0; iteration < iterations; iteration++) {
        u64 mine = 0, theirs = 0, moved;
        int depth = 1, at = path[0] = 1;
        while (nodes[at].tried && nodes[at].tried == nodes[at].moves) { /* select */
            int visits = nodes[at].visits, best = 0, end = nodes[at].first + nodes[at].moves;
            double shared = c * (visits < KNOWN ? ROOTS[visits] : sqrt(log(visits))), highest = -1;
            for (int child = nodes[at].first; child < end; child++) {
                double score = nodes[child].mean + shared * nodes[child].inv_sqrt_visits;
                if (score > highest) highest = score, best = child;
            }
            path[depth++] = at = best;
            moved = mine | cell_of(mine | theirs, nodes[at].action, tic_tac_toe);
            mine = theirs, theirs = moved;
        }
        Node *leaf = nodes + at; /* expand */
        if (!leaf->first) {
            leaf->first = used;
            if (!has_line(theirs, tic_tac_toe))
                for (int action = 0; action < width; action++)
                    if (cell_of(mine | theirs, action, tic_tac_toe))
                        nodes[used++] = (Node){.action = action, .player_just_moved = 1 - leaf->player_just_moved};
            leaf->moves = used - leaf->first;
        }
        if (leaf->tried < leaf->moves) {
            int place = leaf->first + leaf->tried, picked = place + below(&random, leaf->moves - leaf->tried);
            int action = nodes[picked].action;
            nodes[picked].action = nodes[place].action, nodes[place].action = action;
            leaf->tried++;
            path[depth++] = at = place;
            moved = mine | cell_of(mine | theirs, action, tic_tac_toe);
            mine = theirs, theirs = moved;
        }
        int winner = nodes[at].player_just_moved, left = 0, won; /* simulate */
        uint8_t choices[9];
        for (int action = 0; action < width; action++) {
            choices[left] = action;
            left += cell_of(mine | theirs, action, tic_tac_toe) != 0;
        }
        while (!(won = has_line(theirs, tic_tac_toe)) && left) {
            int picked = below(&random, left), action = choices[picked];
            moved = mine | cell_of(mine | theirs, action, tic_tac_toe);
            mine = theirs, theirs = moved;
            winner = 1 - winner;
            if (!cell_of(mine | theirs, action, tic_tac_toe)) choices[picked] = choices[--left];
        }
        for (int i = 0; i < depth; i++) { /* backpropagate */
            Node *node = nodes + path[i];
            node->visits++;
            node->wins += won ? node->player_just_moved == winner : 0.5;
            node->mean = node->wins / node->visits, node->inv_sqrt_visits = 1 / sqrt(node->visits);
        }
    }
    int most = 0;
    for (int i = 0; i < nodes[1].tried; i++)
        if (nodes[nodes[1].first + i].visits > most) most = nodes[nodes[1].first + i].visits;
    free(nodes);
    return most;
}

int tic_tac_toe(int iterations, double c, u64 seed) { return search(iterations, c, seed, 1); }
int connect_four(int iterations, double c, u64 seed) { return search(iterations, c, seed, 0); }
