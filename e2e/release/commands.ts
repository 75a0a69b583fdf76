import type { Machine } from '@pulse/testkit/machine'
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { aLegacyFile } from '../../apps/server/src/transfer/fixtures.ts'
import { blocksFor } from '../../scripts/documented.ts'

const token = 'documented-0123456789abcdef'

/** Placeholders that a reader replaces, and their values here. */
const own: readonly [string, string][] = [
  ['"AA:BB:…"', JSON.stringify(Array(32).fill('AB').join(':'))],
  ['"tokenValue": "…"', '"tokenValue": "00000000-1111-2222-3333-444444444444"'],
]

/** An export that a reader brings from Pulse 4.x. */
const older = { version: '4.1', nodes: {}, system: { theme: 'dark' } }
const legacyFile = '/var/lib/pulse/pulse-config-2026-01-01.json'

/** A refused call fails the command. */
const strict = `set -e
export TOKEN=${token} HOME=/root
curl() { command curl --fail-with-body --silent --show-error "$@"; }
cd "$HOME"
`

/** Runs the commands of the documents in order, on a machine where Pulse is installed and set up. */
export async function followCommands(on: Machine): Promise<void> {
  // a known token with every scope, like the reader's
  const given = `echo API_TOKENS=${token} >>/etc/default/pulse; systemctl restart pulse; pulse health --wait 60`
  expect(await on.sh(given)).toMatchObject({ code: 0 })
  const brought = path.join(on.folder, 'older.json')
  fs.writeFileSync(brought, aLegacyFile(older, 'correct horse battery'))
  expect(await on.sh(`install -o pulse -m 600 ${brought} ${legacyFile}`)).toMatchObject({ code: 0 })
  for (const { document, line, text } of blocksFor('installed')) {
    const script = own.reduce((filled, [from, to]) => filled.replaceAll(from, to), text)
    const run = await on.sh(strict + script)
    expect(run, `${document}:${line} said\n${run.stdout}${run.stderr}`).toMatchObject({ code: 0 })
  }
}
