// Fails when a regular expression of the product can take more than linear time, or is built at run time.
// A proof is a matter of seconds, so those that were made stand in proved-expressions.json: npm run format writes the
// file (--write), and npm run check proves what is not in it. Its test proves a tenth of the file again, another one each
// day, and all of it in the long run.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { check } from 'recheck'
import { parseSync, Visitor } from 'rolldown/utils'
import { root } from './pinned-node.mjs'

/** Excludes the lab and tests, which read only their own texts. */
const isProduct = (file) =>
  /^(?:apps\/(?:server|web|agent)|packages\/(?:contract|domain))\/src\//.test(file) &&
  !/(?:\.test|\/(?:given|fixtures)(?:-[^/]*)?|\/sandbox)\.tsx?$/.test(file) &&
  !file.includes('/example-calls/') &&
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

const provedFile = path.join(import.meta.dirname, 'proved-expressions.json')
const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules/recheck/package.json'), 'utf8'))

const keyOf = ({ pattern, flags }) => `/${pattern}/${flags}`

/** The expressions that the present version of the analyser has found to be linear. */
export function provedExpressions() {
  const { analyser, expressions } = JSON.parse(readFileSync(provedFile, 'utf8'))
  return analyser === version ? expressions : []
}

/** All expressions of the product. */
function expressionsOfProduct() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
  })
  const files = String(listed).trim().split('\n').filter(isProduct)
  return files.flatMap((file) => expressionsOf(file, readFileSync(path.join(root, file), 'utf8')))
}

async function main(writes) {
  const proved = new Set(provedExpressions().map(keyOf))
  const linear = new Map()
  const problems = new Map()
  for (const { file, line, problem: builtIn, ...expression } of expressionsOfProduct()) {
    const key = keyOf(expression)
    if (!builtIn && !linear.has(key) && !problems.has(key)) {
      const problem = proved.has(key) ? undefined : await problemOf(expression)
      if (problem) problems.set(key, problem)
      else linear.set(key, expression)
    }
    const problem = builtIn ?? problems.get(key)
    if (!problem) continue
    console.log(`${file}:${line} ${builtIn ? '' : `${key} `}${problem}`)
    process.exitCode = 1
  }
  const isCurrent = linear.size === proved.size && [...linear.keys()].every((key) => proved.has(key))
  if (writes && !isCurrent) {
    const expressions = [...linear].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
    writeFileSync(provedFile, `${JSON.stringify({ analyser: version, expressions }, undefined, 2)}\n`)
  } else if (!isCurrent && problems.size === 0) {
    console.log('scripts/proved-expressions.json is not current: run npm run format')
    process.exitCode = 1
  }
  console.log(`${linear.size + problems.size} expressions`)
}

if (process.argv[1] === import.meta.filename) await main(process.argv.includes('--write'))
