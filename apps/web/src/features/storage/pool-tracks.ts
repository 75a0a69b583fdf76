import { rem } from '../../lib/text-scale.ts'
import { machineTracks, narrowTracks } from '../../parts/nodes/machine-tracks.ts'

const { name, usage, rate } = machineTracks

/**
 * Aligned with the node table: type and status are as wide as its type, number and uptime, so that the usage
 * bar is below the nodes' disk bars.
 */
export const poolTracks = {
  name,
  type: rem(86),
  content: { track: `${usage} ${usage}`, span: 2 },
  status: rem(104),
  usage,
  rate,
  two: { track: `${rate} ${rate}`, span: 2 },
} as const

/** For narrow windows: the same number of tracks, some of them empty. */
export const narrowPoolTracks = {
  name: `minmax(${rem(144)}, 1.6fr)`,
  type: rem(72),
  content: `minmax(${rem(56)}, 1fr) 0`,
  status: rem(96),
  usage: narrowTracks.usage,
  size: rem(72),
  /** has room for '730 days' */
  fullIn: rem(76),
  two: `0 ${rem(76)}`,
  shared: rem(70),
} as const
