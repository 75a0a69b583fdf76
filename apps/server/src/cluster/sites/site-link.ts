import type { Bus } from '../nats/bus.ts'
import type { PresentProcess } from '../presence.ts'

/** What this process needs to serve collectors of other sites that have no database. */
export interface SiteLink {
  bus: Bus
  /** servers that keep a copy */
  replicas: number
  /** the site of this process */
  own: string
  present(): Promise<PresentProcess[]>
  /** Whether this process leads, as far as can be said, for one that has led. */
  stillLeads(): Promise<boolean>
  onRefused: (subject: string, why: string) => void
}
