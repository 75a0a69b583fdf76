import { mainSite } from '@pulse/contract'
import type { KnownConnection } from '../frames/foreign-records.ts'
import type { Turns } from './leased-collectors.ts'

/** The sources that this process would collect, and those whose lease it holds. */
export interface OwnSources {
  readonly held: ReadonlySet<string>
  /** how often that has changed */
  readonly moves: number
  sources(): readonly string[]
  /** Undefined: this process does not know the source. */
  siteOf(source: string): string | undefined
  connectionOf(source: string): KnownConnection | undefined
  /** Returns the end of it. */
  watch(source: string, own: Turns): () => void
  hold(source: string): void
  release(source: string): void
  begin(source: string): void
  end(source: string): void
}

export function createOwnSources(): OwnSources {
  const turns = new Map<string, Turns>()
  const held = new Set<string>()
  let moves = 0

  function connectionOf(source: string): KnownConnection | undefined {
    const known = turns.get(source)?.connection()
    return known && { kind: known.kind, name: known.name, site: known.site ?? mainSite }
  }

  return {
    held,
    get moves() {
      return moves
    },
    sources: () => [...turns.keys()],
    siteOf: (source) => connectionOf(source)?.site,
    connectionOf,
    watch(source, own) {
      turns.set(source, own)
      // begun again with another address while its lease is here
      if (held.has(source)) queueMicrotask(() => held.has(source) && turns.get(source) === own && own.begin())
      return () => void (turns.get(source) === own && turns.delete(source))
    },
    hold(source) {
      held.add(source)
      moves++
    },
    release(source) {
      held.delete(source)
      moves++
    },
    begin: (source) => turns.get(source)?.begin(),
    end: (source) => turns.get(source)?.end(),
  }
}
