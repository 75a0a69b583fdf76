import { rem } from '../../lib/text-scale.ts'
import { machineTracks } from '../../parts/machine-tracks.ts'

const { name, usage, rate } = machineTracks

/**
 * Type and status take together what type, number and uptime of a machine do, so that the bar stands below the disks
 * of the nodes, and the figures below what is counted of them.
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
