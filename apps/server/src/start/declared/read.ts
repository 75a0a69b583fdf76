import fs from 'node:fs'
import path from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { checkDeclared, type Declared } from './check.ts'
import { DeclaredProblem, inFileError } from './problem.ts'

const MAX_BYTES = 1024 * 1024
const MAX_ALIASES = 100

/**
 * The declarative file; undefined when there is none. An invalid file stops the start and names the place.
 */
export function readDeclared(env: NodeJS.ProcessEnv, dataDir: string): Declared | undefined {
  const file = declaredFile(env, dataDir)
  if (!env['PULSE_CONFIG_FILE']?.trim() && !fs.existsSync(file)) return undefined
  return inFile(file, () => checkDeclared(parse(readText(file)), file))
}

export function declaredFile(env: NodeJS.ProcessEnv, dataDir: string): string {
  const named = env['PULSE_CONFIG_FILE']?.trim()
  return named ? path.resolve(named) : path.join(dataDir, 'pulse.yaml')
}

/** Warnings about the file for the administrator. */
export function declaredWarnings({ file, holdsSecrets }: Declared): string[] {
  const isOpen = (fs.statSync(file).mode & 0o004) !== 0
  return holdsSecrets && isOpen
    ? [`${file} holds secrets and can be read by every user of this machine: chmod 600 it.`]
    : []
}

/** Adds the file name to a problem of the job. */
export function inFile<T>(file: string, job: () => T): T {
  try {
    return job()
  } catch (error) {
    throw inFileError(file, error)
  }
}

function readText(file: string): string {
  try {
    if (fs.statSync(file).size > MAX_BYTES) throw new Error('larger than 1 MB')
    return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new DeclaredProblem('', `The file cannot be read (${code ?? message}).`)
  }
}

/** The parser's own messages quote the text, so only their position and name are used. */
function parse(text: string): unknown {
  const lines = new LineCounter()
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines, logLevel: 'error' })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0])
    throw new DeclaredProblem('', `Line ${line}, column ${col} is not valid YAML (${problem.code}).`)
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    throw new DeclaredProblem('', 'An alias (*) in it has no anchor (&), or there are too many.')
  }
}
