/** Finds many search terms in one pass over a text. */
export interface TermSet {
  /** whether at least one term occurs */
  any(text: string): boolean
  /** whether every term occurs */
  all(text: string): boolean
}

interface State {
  next: Map<number, State>
  /** the longest proper suffix that is also a prefix of some term */
  fail: State | undefined
  /** index of the term that ends here */
  term: number
  /** the next shorter term that also ends here */
  shorter: State | undefined
}

/**
 * Aho-Corasick: a search costs the length of the text, not the number of terms times texts. Ten kilobytes of
 * pasted terms therefore cannot freeze the page. Terms and text must have the same case.
 */
export function termSet(terms: Iterable<string>): TermSet {
  const distinct = [...new Set(terms)]
  const root = buildStates(distinct)
  const seenIn = new Uint32Array(distinct.length)
  let search = 0

  return {
    any: (text) => distinct.includes('') || scan(root, text, () => true),
    all(text) {
      search++
      let missing = distinct.includes('') ? distinct.length - 1 : distinct.length
      if (missing === 0) return true
      return scan(root, text, (term) => {
        if (seenIn[term] !== search) {
          seenIn[term] = search
          missing--
        }
        return missing === 0
      })
    },
  }
}

/** Scans the text once; returns true as soon as `found` does. */
function scan(root: State, text: string, found: (term: number) => boolean): boolean {
  let state = root
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    let next = state.next.get(unit)
    while (!next && state.fail) {
      state = state.fail
      next = state.next.get(unit)
    }
    state = next ?? root
    for (let end = state.term < 0 ? state.shorter : state; end; end = end.shorter) {
      if (found(end.term)) return true
    }
  }
  return false
}

function buildStates(terms: readonly string[]): State {
  const root = newState()
  for (const [index, term] of terms.entries()) {
    let state = root
    for (let i = 0; i < term.length; i++) {
      const unit = term.charCodeAt(i)
      let next = state.next.get(unit)
      if (!next) state.next.set(unit, (next = newState()))
      state = next
    }
    if (state !== root) state.term = index
  }
  linkSuffixes(root)
  return root
}

function linkSuffixes(root: State): void {
  const queue = [root]
  for (const state of queue) {
    for (const [unit, child] of state.next) {
      let suffix = state.fail
      while (suffix && !suffix.next.has(unit)) suffix = suffix.fail
      child.fail = suffix?.next.get(unit) ?? root
      child.shorter = child.fail.term < 0 ? child.fail.shorter : child.fail
      queue.push(child)
    }
  }
}

const newState = (): State => ({ next: new Map(), fail: undefined, term: -1, shorter: undefined })
