import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './pinned-node.mjs'

/** Commands in a document. After `sh`, the fence names the kind of test: `test=NAME` or `needs=NAME`. */
export interface Block {
  document: string
  line: number
  mark: string
  text: string
}

/** The test that runs the blocks of each mark. */
export const runners: Readonly<Record<string, string>> = {
  'by-script': 'e2e/release/install-methods.ts',
  'by-hand': 'e2e/release/install-methods.ts',
  installed: 'e2e/release/commands.ts',
  engine: 'e2e/release/image.ts',
  'agent-engine': 'e2e/agent-image.test.ts',
  checkout: 'e2e/checkout.test.ts',
  cluster: 'e2e/cluster-guide.test.ts',
  collectors: 'e2e/cluster-guide.test.ts',
}

/** Systems that tests do not have. */
export const needs: readonly string[] = ['proxmox', 'kubernetes', 'systemd']

/** The documents for users. */
export function documents(): string[] {
  const where = ['README.md', 'docs/*.md', 'deploy/*.md', 'apps/*/README.md']
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...where], { cwd: root })
  const names = String(listed).trim().split('\n')
  return names.filter((name) => !name.startsWith('docs/decisions/') && fs.existsSync(path.join(root, name)))
}

export const documentText = (document: string): string => fs.readFileSync(path.join(root, document), 'utf8')

/** Fenced blocks of any language. */
export function fencedBlocks(document: string): (Block & { language: string })[] {
  const text = documentText(document)
  return [...text.matchAll(/^ *```(\w*) *(.*)\n([^]*?)^ *```$/gm)].map((found) => ({
    document,
    line: text.slice(0, found.index).split('\n').length,
    language: found[1]!,
    mark: found[2]!.trim(),
    text: found[3]!,
  }))
}

export const shellBlocks = (): Block[] =>
  documents()
    .flatMap(fencedBlocks)
    .filter(({ language }) => ['sh', 'bash', 'shell', 'console', 'zsh'].includes(language))

/** Blocks in reading order. */
export const blocksFor = (runner: string): Block[] =>
  shellBlocks().filter(({ mark }) => mark === `test=${runner}`)

/** The commands of a block; a trailing backslash continues a line. */
export const commandsIn = ({ text }: Block): string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#\s.*$/, '').trim())
    .filter((line) => line !== '')

/** Code between backticks in sentences and tables. */
export const codeIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
