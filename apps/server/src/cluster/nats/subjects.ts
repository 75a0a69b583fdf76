import { mainSite } from '@pulse/contract'

/** Of all subjects and payloads. Another version that cannot read this one has another number, and so other subjects. */
const version = 1
const prefix = `pulse.${version}`

/** In place of a site: a source of the process that leads, such as the alerts. No token of a site looks like this. */
const led = '~'
/** A subject is made of tokens, in which only some characters are safe. The site comes first, for rights of a site. */
export const token = (text: string): string => Buffer.from(text).toString('base64url') || '-'
const siteToken = (site: string | undefined) => (site === undefined ? led : token(site))

/** Without a site: a source of the process that leads. */
export const framesOf = (site: string | undefined, source: string): string =>
  `${prefix}.frames.${siteToken(site)}.${token(source)}`
export const allFrames = `${prefix}.frames.*.*`
export const framesOfSite = (site: string): string => `${prefix}.frames.${token(site)}.*`

/** A receiver without a base asks for one. */
export const resendOf = (site: string | undefined, source: string): string =>
  `${prefix}.resend.${siteToken(site)}.${token(source)}`
export const allResends = `${prefix}.resend.*.*`
export const resendsOfSite = (site: string): string => `${prefix}.resend.${token(site)}.*`

export const streamName = `PULSE_FRAMES_${version}`
export const leaseBucket = `PULSE_LEASES_${version}`
export const presenceBucket = `PULSE_PROCESSES_${version}`
/** A site other than the main one has buckets of its own, PULSE_LEASES_1_SITE and PULSE_PROCESSES_1_SITE, so that its collectors need no right to others. */
const ofSite = (bucket: string, site: string) => (site === mainSite ? bucket : `${bucket}_${token(site)}`)
export const leaseBucketOf = (site: string): string => ofSite(leaseBucket, site)
export const presenceBucketOf = (site: string): string => ofSite(presenceBucket, site)

/** The site of a bucket with its processes; undefined for any other bucket. */
export function siteOfPresence(bucket: string): string | undefined {
  if (bucket === presenceBucket) return mainSite
  return bucket.startsWith(`${presenceBucket}_`) ? textIn(bucket.slice(presenceBucket.length + 1)) : undefined
}

/** Some process has changed what is stored. */
export const changedRows = `${prefix}.rows`
/** Calls that only the process that leads can answer. */
export const leaderCalls = `${prefix}.calls`
/** What the process that leads could not write to the database yet, in the stream PULSE_UNSAVED_1. */
export const unsavedWrites = `${prefix}.unsaved`
export const unsavedStream = `PULSE_UNSAVED_${version}`
/** What the process that leads has for open pages. */
export const events = `${prefix}.events`

/** A user of a proxy came with another role than before. */
export const proxyRoles = `${prefix}.roles`

export interface FramePlace {
  /** undefined: the process that leads */
  site: string | undefined
  source: string
}

/** Site and source of a frame's subject; undefined for any other subject. */
export function placeIn(subject: string): FramePlace | undefined {
  const [, , what, site, source, ...more] = subject.split('.')
  if (what !== 'frames' || site === undefined || source === undefined || more.length > 0) return undefined
  return { site: site === led ? undefined : textIn(site), source: textIn(source) }
}

export const textIn = (of: string) => (of === '-' ? '' : Buffer.from(of, 'base64url').toString())

/**
 * Between the process that leads and the collectors of a site that have no database. What goes up is sent by the
 * collectors, what goes down by the process that leads.
 */
export const siteSubjects = (site: string) => {
  const own = `${sites}.${token(site)}`
  return {
    /** what collectors ask, and the answers */
    asks: `${own}.up.asks`,
    answers: `${own}.down.answers`,
    /** what is asked of one of the collectors, and its answers */
    tasks: `${own}.down.tasks`,
    results: `${own}.up.results`,
    /** The connections of the site have changed. */
    changed: `${own}.down.changed`,
  }
}
const sites = `${prefix}.sites`
/** What the collectors of any site ask. */
export const allSiteAsks = `${sites}.*.up.asks`
/** All that collectors of sites send, and all that is sent to them. */
export const allSiteUp = `${sites}.*.up.>`
export const allSiteDown = `${sites}.*.down.>`

/** The site that a subject of frames or one below `pulse.1.sites` names; empty for any other subject. */
export function siteIn(subject: string): string {
  const [, , what, site = ''] = subject.split('.')
  return what === 'frames' || what === 'sites' ? textIn(site) : ''
}
