import { toPattern } from '../requests.ts'

/** The effect on a request, in place of its answer or before it. */
export type FaultKind =
  'latency' | 'hang' | 'reset' | 'dribble' | 'crumbs' | 'huge' | 'broken-json' | 'html' | 'status' | 'texts'

export interface FaultSpec {
  kind: FaultKind
  cluster?: string
  node?: string
  /** Path below /api2/json, or `/` for the web page; `*` matches any text. Default: all. */
  path?: string
  /** Patterns for parameters of the query by name; an absent one is empty. */
  query?: Readonly<Record<string, string>>
  /** The number of affected requests; default: all until removed. */
  times?: number
  /** For `latency`. */
  ms?: number
  /** For `status`; the default text is the usual one for that status. */
  status?: number
  text?: string
  /** For `huge`: default 1 GB. For `crumbs`: number of blanks sent byte by byte before the answer; default 10,000. */
  bytes?: number
  /** For `dribble`; default 1. */
  bytesPerSecond?: number
  /** For `texts`: the fields of the answer, at any depth, that get a replacement. */
  fields?: readonly string[]
  /** For `texts`: the replacements. Field and original text select one. */
  texts?: readonly string[]
}

export interface Fault extends FaultSpec {
  id: number
  /** Requests affected so far. */
  met: number
}

interface Asked {
  cluster: string
  node: string
  path: string
  template: string
  query: Readonly<Record<string, string>>
}

export interface Faults {
  add(spec: FaultSpec): Fault
  list(): Fault[]
  remove(id: number): boolean
  clear(): void
  /** Counts and returns the faults of a request. */
  strike(request: Asked): Fault[]
}

type CompiledFault = Fault & { pattern: RegExp; asks: (readonly [string, RegExp])[] }

const patternsOf = ({ query = {} }: FaultSpec) =>
  Object.entries(query).map(([name, text]) => [name, toPattern(text)] as const)

export function createFaults(): Faults {
  const faults = new Map<number, CompiledFault>()
  let lastId = 0
  const describe = ({ pattern: _, asks: __, ...fault }: CompiledFault): Fault => fault

  return {
    add(spec) {
      const fault = {
        ...spec,
        id: ++lastId,
        met: 0,
        pattern: toPattern(spec.path ?? '*'),
        asks: patternsOf(spec),
      }
      faults.set(fault.id, fault)
      return describe(fault)
    },
    list: () => [...faults.values()].map(describe),
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    strike(request) {
      const met: Fault[] = []
      for (const fault of faults.values()) {
        if (fault.cluster !== undefined && fault.cluster !== request.cluster) continue
        if (fault.node !== undefined && fault.node !== request.node) continue
        if (!fault.pattern.test(request.path) && fault.path !== request.template) continue
        if (!fault.asks.every(([name, pattern]) => pattern.test(request.query[name] ?? ''))) continue
        fault.met++
        if (fault.times !== undefined && fault.met >= fault.times) faults.delete(fault.id)
        met.push(describe(fault))
        if (fault.kind !== 'latency') break
      }
      return met
    },
  }
}
