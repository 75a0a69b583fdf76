import type { Channel } from './channel.ts'

/** Channels whose settings changed. A change of the allowed hosts concerns every channel: a refused destination may be allowed now. */
export function changedChannels(
  before: readonly Channel[],
  now: readonly Channel[],
  { areHostsChanged }: { areHostsChanged: boolean },
): string[] {
  const revisions = new Map(before.map(({ info, revision }) => [info.id, revision]))
  return now
    .filter(
      ({ info: { id }, revision }) =>
        areHostsChanged || (revisions.has(id) && revisions.get(id) !== revision),
    )
    .map(({ info }) => info.id)
}
