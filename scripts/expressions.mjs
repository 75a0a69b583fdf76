// Fails when a regular expression of the product can take more than linear time, or is built at run time.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { check } from 'recheck'
import { parseSync, Visitor } from 'rolldown/utils'
import { root } from './pinned-node.mjs'

/** Excludes the lab and tests, which read only their own texts. */
const isProduct = (file) =>
  /^(?:apps\/(?:server|web|agent)|packages\/(?:contract|domain))\/src\//.test(file) &&
  !/(?:\.test|\/(?:given|fixtures)(?:-[^/]*)?|\/sandbox)\.tsx?$/.test(file) &&
  !file.includes('/testing/')

/** Every expression of a source file with its line, and the places that build one at run time. */
export function expressionsOf(file, text) {
  const found = []
  const lineOf = (node) => text.slice(0, node.start).split('\n').length
  const built = (node) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
    found.push({
      file,
      line: lineOf(node),
      problem: 'is built at run time: write it as a literal, or do without',
    })
  }
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} could not be read: ${errors[0].message}`)
  new Visitor({
    Literal(node) {
      if (node.regex) found.push({ file, line: lineOf(node), ...node.regex })
    },
    NewExpression: built,
    CallExpression: built,
  }).visit(program)
  return found
}

/** Limits by steps instead of time, so that the result does not depend on the machine's load. */
const bySteps = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

/** The problem of one expression; undefined when the analyser finds it linear. */
export async function problemOf({ pattern, flags }) {
  const { status, complexity, attack, error } = await check(pattern, flags, bySteps)
  if (status === 'safe') return undefined
  if (status === 'unknown') return `could not be analysed (${error?.kind})`
  return `takes ${complexity.summary} time, for instance on ${attack.pattern}`
}

async function main() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
  })
  const files = String(listed).trim().split('\n').filter(isProduct)
  const found = files.flatMap((file) => expressionsOf(file, readFileSync(path.join(root, file), 'utf8')))
  const known = new Map()
  for (const expression of found) {
    const key = `/${expression.pattern}/${expression.flags}`
    if (!expression.problem && !known.has(key)) known.set(key, problemOf(expression))
    const problem = expression.problem ?? (await known.get(key))
    if (problem) {
      console.log(`${expression.file}:${expression.line} ${expression.problem ? '' : `${key} `}${problem}`)
      process.exitCode = 1
    }
  }
  console.log(`${known.size} expressions`)
}

if (process.argv[1] === import.meta.filename) await main()
