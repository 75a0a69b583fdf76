import type { Machine } from '@pulse/testkit/machine'
import { vi } from 'vitest'
import { within } from '../../scripts/test-limits.ts'

/** Counts each call that changes something; the selected call waits to be killed. */
const counted = (program: string) => `#!/bin/sh
if [ "$1" = show ]; then exec ${program} "$@"; fi
number=$(($(cat /run/calls) + 1))
echo $number >/run/calls
if [ "$number" = "$(cat /run/wait-at)" ]; then
  echo "$0 $*" >/run/waits
  sleep 600
fi
exec ${program} "$@"
`

/** The switch's calls to the machine, in order. */
export const steps = {
  unpacking: 1,
  'unpacked, being written to the disk': 2,
  'stopping the service': 3,
  'the data being kept aside': 4,
  'starting the new version': 5,
  'the new version is stopped': 6,
  'the data being put back': 7,
  'starting the old version': 8,
} as const
export type Step = keyof typeof steps

/** Kills the program that replaces a release at one of its steps; its supervisor continues as after a crash. */
export async function steered(on: Machine) {
  const folder = '/usr/local/bin'
  const write = (name: string, program: string) =>
    on.sh(`cat >${folder}/${name} <<'END'\n${counted(program)}END\nchmod 0755 ${folder}/${name}`)
  await on.sh(`mv ${folder}/systemctl ${folder}/systemctl-itself`)
  await write('systemctl', `${folder}/systemctl-itself`)
  for (const name of ['tar', 'sync']) await write(name, `/bin/${name}`)
  const reset = async (waitAt = 0) => {
    await on.sh(`for file in calls waits wait-at; do : >/run/$file; chmod 0666 /run/$file; done
      echo 0 >/run/calls; echo ${waitAt} >/run/wait-at`)
  }
  await reset()
  return {
    reset,
    /** Waits until the switch reaches that step. */
    async killAt(step: Step, begin: () => Promise<unknown>): Promise<void> {
      await reset(steps[step])
      await begin()
      await vi.waitUntil(async () => (await on.sh('cat /run/waits')).stdout !== '', {
        timeout: within(60_000),
        interval: 100,
      })
      await on.sh(`kill -9 $(${folder}/systemctl-itself main-pid pulse-update.service)`)
    },
    systemctl: (...words: string[]) => on.sh(`${folder}/systemctl-itself ${words.join(' ')}`),
  }
}
