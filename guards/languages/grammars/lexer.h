// Included before every file of C. The lexers that tree-sitter generates are one function around a loop, and every part of the loop reaches
// every other: clang's pass that makes control flow fit for WebAssembly takes the square of it, 84 s of one processor for Swift's. Here a
// lexer is a function that takes one step, which has no loop, and a second one that calls it: 26 s, for the same tokens.
//
// The macros are those that `tree_sitter/parser.h` defines for the generated code, whose two lexers are named like the last two.
#if defined(__has_include)
#if __has_include("tree_sitter/parser.h")
#include "tree_sitter/parser.h"

struct lexing {
  TSStateId state;
  bool skips;
  bool accepted;
  bool ended;
};

#undef START_LEXER
#define START_LEXER() \
  bool eof = false;   \
  int32_t lookahead = lexer->lookahead;

#define STEP_TO(state_value, skips_character) \
  {                                           \
    next->state = state_value;                \
    next->skips = skips_character;            \
    return true;                              \
  }

#undef ADVANCE
#define ADVANCE(state_value) STEP_TO(state_value, false)

#undef SKIP
#define SKIP(state_value) STEP_TO(state_value, true)

#undef ADVANCE_MAP
#define ADVANCE_MAP(...)                                                 \
  {                                                                      \
    static const uint16_t map[] = {__VA_ARGS__};                         \
    for (uint32_t i = 0; i < sizeof(map) / sizeof(map[0]); i += 2) {     \
      if (map[i] == lookahead) STEP_TO(map[i + 1], false)                \
    }                                                                    \
  }

#undef ACCEPT_TOKEN
#define ACCEPT_TOKEN(symbol_value)     \
  next->accepted = true;               \
  lexer->result_symbol = symbol_value; \
  lexer->mark_end(lexer);

#undef END_STATE
#define END_STATE()     \
  {                     \
    next->ended = true; \
    return false;       \
  }

// `static bool NAME(LEXER, STATE) {…}` becomes a declaration of the step, the lexer, and the head of the step.
#define LEXER_BY_STEPS(name, lexer_parameter, state_parameter)                           \
  name##_step(struct lexing *, lexer_parameter, state_parameter);                        \
  static bool name(lexer_parameter, state_parameter) {                                   \
    struct lexing next = {0};                                                            \
    while (name##_step(&next, lexer, state)) {                                           \
      lexer->advance(lexer, next.skips);                                                 \
      state = next.state;                                                                \
    }                                                                                    \
    return next.ended && next.accepted;                                                  \
  }                                                                                      \
  __attribute__((noinline)) static bool name##_step(struct lexing *next, lexer_parameter, state_parameter)

#define ts_lex(lexer, state) LEXER_BY_STEPS(ts_lex, lexer, state)
#define ts_lex_keywords(lexer, state) LEXER_BY_STEPS(ts_lex_keywords, lexer, state)

#endif
#endif
