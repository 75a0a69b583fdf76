import fs from 'node:fs'
import path from 'node:path'
import { DeclaredProblem } from './problem.ts'

const MAX_BYTES = 8192

/** The text of a file with one secret, without its line end. */
export function readSecretFile(folder: string, name: string, at: string): string {
  const file = path.resolve(folder, name)
  let text: string
  try {
    if (fs.statSync(file).size > MAX_BYTES) throw new Error('is larger than a secret can be')
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new DeclaredProblem(at, `${file} cannot be read (${code ?? message}).`)
  }
  const secret = text.replace(/\r?\n$/, '')
  if (secret.trim() === '') throw new DeclaredProblem(at, `${file} is empty.`)
  return secret
}
