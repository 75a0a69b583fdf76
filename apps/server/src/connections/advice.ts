import type { NodeConfig } from '@pulse/contract'

/** Advice for rights that a connection test misses, by the start of the test's sentence. */
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

/** Advice in sentences for the account of this connection. */
export function adviceOn(missing: readonly string[], { hasToken }: Pick<NodeConfig, 'hasToken'>): string[] {
  const who = hasToken ? 'The token' : 'The user'
  return missing.map((sentence) => remedies.find(([start]) => start.test(sentence))?.[1](who) ?? sentence)
}
