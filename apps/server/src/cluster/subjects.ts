/** Of all subjects and payloads. Another version that cannot read this one has another number, and so other subjects. */
const version = 1
const prefix = `pulse.${version}`

/** A subject is made of tokens, in which only some characters are safe. The site comes first, for rights of a site. */
const token = (text: string): string => Buffer.from(text).toString('base64url') || '-'

export const framesOf = (site: string, source: string): string =>
  `${prefix}.frames.${token(site)}.${token(source)}`
export const allFrames = `${prefix}.frames.*.*`

/** A receiver without a base asks for one. */
export const resendOf = (site: string, source: string): string =>
  `${prefix}.resend.${token(site)}.${token(source)}`

export const streamName = `PULSE_FRAMES_${version}`
export const leaseBucket = `PULSE_LEASES_${version}`
export const presenceBucket = `PULSE_PROCESSES_${version}`
/** Some process has changed what is stored. */
export const changedRows = `${prefix}.rows`

/** Site and source of a frame's subject; undefined for any other subject. */
export function placeIn(subject: string): { site: string; source: string } | undefined {
  const [, , what, site, source, ...more] = subject.split('.')
  if (what !== 'frames' || site === undefined || source === undefined || more.length > 0) return undefined
  return { site: textIn(site), source: textIn(source) }
}

const textIn = (of: string) => (of === '-' ? '' : Buffer.from(of, 'base64url').toString())
