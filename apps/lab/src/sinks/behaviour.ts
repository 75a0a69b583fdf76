/**
 * What a sink does instead of accepting a message:
 * - `status`: answers with it, with `retryAfter` and `body` when given
 * - `hang`: takes everything and never answers; `reset`: hangs up
 * - `redirect`: sends on to `location`; `late`: takes it after `ms`
 */
export type Behaviour =
  | { kind: 'take' }
  | { kind: 'status'; status: number; retryAfter?: string; body?: string }
  | { kind: 'redirect'; status: number; location: string }
  | { kind: 'late'; ms: number }
  | { kind: 'hang' }
  | { kind: 'reset' }

export interface Behaviours {
  /** From now on; the path is its beginning, every one when absent. With `times` it ends by itself. */
  behave(behaviour: Behaviour, options?: { path?: string; times?: number }): void
  of(path: string): Behaviour
}

export function createBehaviours(): Behaviours {
  let rules: { behaviour: Behaviour; path: string; left: number }[] = []
  return {
    behave(behaviour, { path = '', times = Infinity } = {}) {
      rules = [...rules.filter((rule) => rule.path !== path), { behaviour, path, left: times }]
    },
    of(path) {
      const fitting = rules.filter((rule) => path.startsWith(rule.path) && rule.left > 0)
      const [first] = fitting.toSorted((a, b) => b.path.length - a.path.length)
      if (first) first.left--
      return first?.behaviour ?? { kind: 'take' }
    },
  }
}
