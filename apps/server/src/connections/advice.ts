import type { NodeConfig } from '@pulse/contract'

/** What to do about a right that a connection test misses, by what its sentence begins with. */
const remedies: readonly [start: RegExp, words: (who: string) => string][] = [
  [/^Datastore\.Allocate /, (who) => `${who} may not read backups: give it PVEDatastoreAdmin on /storage`],
  [
    /^VM\.GuestAgent\.Audit/,
    (who) =>
      `${who} may not ask guest agents: give it a role with VM.GuestAgent.Audit (PVE 9) or VM.Monitor (PVE 8) on /vms`,
  ],
  [
    /^Sys\.Audit (?:is missing|only) on \/(?:nodes|:)/,
    (who) => `${who} may not read the nodes: give it PVEAuditor on /`,
  ],
  [/^VM\.Audit/, (who) => `${who} may not read guests: give it PVEAuditor on /vms, or on / with propagation`],
  [
    /^Datastore\.Audit (?:is missing|only) on \/datastore/,
    (who) => `${who} may not read datastores: give it Audit on /`,
  ],
  [/^Datastore\.Audit /, (who) => `${who} may not read storage: give it PVEAuditor on /`],
  [
    /^Sys\.Audit (?:is missing|only) on \/system/,
    (who) => `${who} may not read the system: give it Audit on /`,
  ],
]

/** In words, for the account that this connection uses. */
export function adviceOn(missing: readonly string[], { hasToken }: Pick<NodeConfig, 'hasToken'>): string[] {
  const who = hasToken ? 'The token' : 'The user'
  return missing.map((sentence) => remedies.find(([start]) => start.test(sentence))?.[1](who) ?? sentence)
}
