import { ownSource } from '../../state/state.ts'
import type { KnownConnection } from './foreign-records.ts'
import { type FramePlace, framesOf } from '../nats/subjects.ts'

/** Sources are some thousand at most. Another process may make up names. */
const usualSources = 20_000

export interface AdmissionEdges {
  /** undefined: this process does not know the source yet */
  connectionOf: (source: string) => Pick<KnownConnection, 'site'> | undefined
  /** Whether this process shows or judges what others collect. Otherwise it only knows that they said something. */
  takesOthers: boolean
  /** sources of the process that leads, as others have sent them */
  ledElsewhere: ReadonlySet<string>
  onRefused: (subject: string, why: string) => void
  mostSources?: number
}

/** Which frames are taken, as far as their subject and their headers show it. It knows a bounded number of sources. */
export function createAdmission(edges: AdmissionEdges) {
  const { connectionOf, takesOthers, ledElsewhere, onRefused, mostSources = usualSources } = edges
  /** sources of others, if nothing of them is taken, with their number of records */
  const said = new Map<string, number>()
  /** sources that were unknown when their site sent something */
  const missed = new Set<string>()

  function say(source: string, records: number) {
    said.delete(source)
    said.set(source, records)
    if (said.size > mostSources) said.delete(said.keys().next().value!)
  }

  return {
    said: said as ReadonlyMap<string, number>,
    say,
    admits({ site: place, source }: FramePlace, records: number | undefined): boolean {
      const refuse = (why: string) => {
        onRefused(framesOf(place, source), why)
        return false
      }
      const known = connectionOf(source)
      if (place !== undefined) {
        if (known && known.site !== place) return refuse('the source belongs to another site')
        if (known && takesOthers) return true
        if (known) say(source, records ?? said.get(source) ?? 0)
        else if (takesOthers && missed.size < mostSources) missed.add(source)
        return false
      }
      // what Pulse says about itself is each process's own; a connection has a site
      if (known || source === ownSource) return refuse('the process that leads does not collect this source')
      if (!takesOthers) return false
      if (ledElsewhere.has(source) || ledElsewhere.size < mostSources) return true
      return refuse('the process that leads has no more sources than there are')
    },
    /** True: its site has sent something while the source was unknown. */
    unmiss: (source: string): boolean => missed.delete(source),
  }
}
