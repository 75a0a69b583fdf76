import { onTestFinished } from 'vitest'
import { createAsker, tokenHeader } from './fixtures-asking.ts'
import type { Answer, AskOptions, Asker } from './fixtures-asking.ts'
import { startLab } from './lab.ts'
import type { Lab } from './lab.ts'
import type { LabOptions } from './options.ts'

export interface TestLab {
  lab: Lab
  /** Asks as the main token, on the first node unless another one is named. */
  ask(path: string, options?: AskOptions & { node?: string }): Promise<Answer>
  asker: Asker
  /** The path of a guest on its node. */
  guestPath(vmid: number): string
}

/** A lab for one test, without delays by default. */
export async function aLab(options: LabOptions = {}): Promise<TestLab> {
  const lab = await startLab({ authDelayMs: 0, agentHangMs: 0, ...options })
  const asker = createAsker(tokenHeader(lab.credentials))
  onTestFinished(async () => {
    asker.close()
    await lab.close()
  })
  return {
    lab,
    asker,
    ask(path, { node, ...rest } = {}) {
      const nodes = lab.clusters.flatMap((cluster) => cluster.nodes)
      const asked = node === undefined ? nodes[0]! : nodes.find(({ name }) => name === node)!
      return asker.ask(asked.url, path, rest)
    },
    guestPath(vmid) {
      const { node, kind } = lab.control.guest(vmid)
      return `/nodes/${node}/${kind}/${vmid}`
    },
  }
}

/** The guests of a /cluster/resources answer by VMID. */
export function guestsIn({ data }: Answer): Map<number, Record<string, unknown>> {
  const entries = (data as Record<string, unknown>[]).filter(({ vmid }) => vmid !== undefined)
  return new Map(entries.map((entry) => [Number(entry.vmid), entry]))
}
