/**
 * Behaviour of a sink in place of accepting a message:
 * - `status`: answers with it, and with `retryAfter` and `body` if given
 * - `hang`: reads everything and never answers; `reset`: disconnects
 * - `redirect`: redirects to `location`; `late`: accepts the message after `ms`
 */
export type Behaviour =
  | { kind: 'take' }
  | { kind: 'status'; status: number; retryAfter?: string; body?: string }
  | { kind: 'redirect'; status: number; location: string }
  | { kind: 'late'; ms: number }
  | { kind: 'hang' }
  | { kind: 'reset' }

export interface Behaviours {
  /** Applies from now on. `path` is a prefix and defaults to every path. `times` limits the number of requests. */
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
