import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { manualSteps } from '../apps/web/src/features/settings/nodes/manual-steps.ts'
import {
  codeIn,
  commandsIn,
  documentText,
  documents,
  fencedBlocks,
  needs,
  runners,
  shellBlocks,
} from './documented.ts'
import { root } from './pinned-node.mjs'

const locationOf = ({ document, line }: { document: string; line: number }) => `${document}:${line}`

describe('every command in the documents', () => {
  test('is run by a test, or is marked with what it needs', () => {
    const known = [
      ...Object.keys(runners).map((name) => `test=${name}`),
      ...needs.map((name) => `needs=${name}`),
    ]
    const others = shellBlocks().filter(({ mark }) => !known.includes(mark))
    expect(others.map((block) => `${locationOf(block)} is marked "${block.mark}"`)).toEqual([])
  })

  test('is in a marked block', () => {
    const program = 'npm|curl|docker|helm|pulse|sh|systemctl|apt-get|pveum|proxmox-backup-manager|pmgsh'
    const looks = new RegExp(String.raw`^\s*([A-Z_]+=\S+ )*(\$|${program}) `, 'm')
    const others = documents()
      .flatMap(fencedBlocks)
      .filter(({ language, text }) => language === '' && looks.test(text))
    expect(others.map(locationOf)).toEqual([])
  })

  test('is run by the test that its mark names', () => {
    const used = new Set(shellBlocks().map(({ mark }) => mark))
    for (const [name, file] of Object.entries(runners)) {
      expect(fs.readFileSync(path.join(root, file), 'utf8'), file).toContain(`'${name}'`)
      expect(used).toContain(`test=${name}`)
    }
  })

  test('of the product in a sentence is one of those that are run', () => {
    const actions = (text: string) =>
      [...text.matchAll(/(?:\bpulse|npm start --) ((?:config )?[a-z]+(?:-[a-z]+)*)/g)].map(
        ([, action]) => action!,
      )
    const run = new Set(shellBlocks().flatMap((block) => commandsIn(block).flatMap(actions)))
    const named = documents().flatMap((document) => codeIn(documentText(document)).flatMap(actions))
    expect([...new Set(named)].filter((action) => !run.has(action) && !run.has(`config ${action}`))).toEqual(
      [],
    )
  })

  test('of other programs in a sentence is run somewhere, or is also in a block', () => {
    const program =
      /^(curl|docker|helm|sh|openssl|systemctl|journalctl|apt-get|apt|chmod|stat|install\.sh) \S/
    const blocks = shellBlocks().map(({ text }) => text)
    const named = documents().flatMap((document) =>
      codeIn(documentText(document)).filter((code) => program.test(code)),
    )
    const others = new Set(named.filter((code) => !blocks.some((text) => text.includes(code))))
    expect([...others].toSorted()).toEqual(Object.keys(inSentences).toSorted())
    for (const [command, file] of Object.entries(inSentences)) {
      const [word] = command.split(' ').slice(-1)
      expect(fs.readFileSync(path.join(root, file), 'utf8'), command).toContain(word)
    }
  })

  test('for a Proxmox host is the same as on the pages', () => {
    const shown = new Set(
      Object.values(manualSteps).flatMap((steps) => steps.flatMap(({ commands }) => commands)),
    )
    const typed = shellBlocks()
      .filter(({ document, mark }) => document === 'docs/connect.md' && mark === 'needs=proxmox')
      .flatMap(commandsIn)
    expect(typed.toSorted()).toEqual([...shown].toSorted())
  })
})

describe('decision records', () => {
  const folder = path.join(root, 'docs/decisions')
  const records = fs.readdirSync(folder).filter((name) => /^\d{4}-/.test(name))

  test('are numbered without holes, and their titles repeat the number', () => {
    for (const [index, name] of records.toSorted().entries()) {
      expect(name.slice(0, 4)).toBe(String(index + 1).padStart(4, '0'))
      const [title] = fs.readFileSync(path.join(folder, name), 'utf8').split('\n')
      expect(title, name).toMatch(new RegExp(`^# ${index + 1}\\. \\S`))
    }
  })

  test('are listed with title and state; a superseded or amended one says by which', () => {
    const list = fs.readFileSync(path.join(folder, 'README.md'), 'utf8')
    for (const name of records) {
      const text = fs.readFileSync(path.join(folder, name), 'utf8')
      const [, number, title] = /^# (\d+)\. (.*)/.exec(text)!
      const row = list.split('\n').find((line) => line.includes(`](${name})`) && line.includes(`[${title}]`))
      expect(row, `${name} in docs/decisions/README.md`).toMatch(new RegExp(`^\\| ${number} `))
      const [, state = 'in force', by = ''] =
        /^(Superseded|Amended) by \[[^\]]+\]\(([^)]+)\)/m.exec(text) ?? []
      expect(row, name).toContain(state.toLowerCase())
      expect(row, name).toContain(by)
    }
  })
})

/** Commands in sentences, with the tests that run them or the documents that quote them. */
const inSentences: Readonly<Record<string, string>> = {
  'apt-get install apprise': 'scripts/test.mjs',
  'chmod 600': 'apps/server/src/start/start.test.ts',
  'install.sh --uninstall': 'e2e/release/install.ts',
  'openssl genpkey -algorithm ed25519 -out release-key.pem': 'e2e/release/fixtures.ts',
}

describe('the promises of docs/security.md', () => {
  const document = documentText('docs/security.md')

  test('no promise has two rows', () => {
    const numbers = document
      .split('\n')
      .flatMap((line) => /^\| ((?:[RS]\d+(?:, )?)+) /.exec(line)?.[1]!.split(', ') ?? [])
    expect(numbers.length).toBeGreaterThan(40)
    expect(numbers).toEqual([...new Set(numbers)])
  })

  test('every security promise has its row: what proves it, and what is short', () => {
    for (let number = 1; number <= 23; number++) {
      const rows = document.split('\n').filter((line) => line.startsWith(`| S${number} `))
      expect(rows, `S${number}`).toHaveLength(1)
      const [, , proof, short] = rows[0]!.split('|').map((cell) => cell.trim())
      expect(proof === '–' && short === '–', `S${number} says nothing`).toBe(false)
    }
  })
})
