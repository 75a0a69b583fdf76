// npm run check: format, registries, lint, types, import cycles and boundaries, dead code, expressions, timers, clock readings,
// document references and words, in under a minute.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { ensureInstalled } from './install.mjs'
import { pinnedEnv, pinnedNode, root } from './pinned-node.mjs'

await ensureInstalled()
const module = (...parts) => path.join(root, 'node_modules', ...parts)
// two checks run at a time, so more threads for one would slow down the other
const tsc = (project) => [module('typescript/bin/tsc'), '-p', project, '--singleThreaded']

/**
 * Most objects are short-lived. A larger young generation with a single collector thread saves a seventh of
 * the time.
 */
const roomy = ['--max-semi-space-size=64', '--single-threaded-gc']

// Longest first, so that no long check runs alone at the end.
const checks = [
  [
    'format',
    [
      ...roomy,
      module('prettier/bin/prettier.cjs'),
      '--check',
      // two checks run at a time; its cache is by content
      '--no-parallel',
      '--log-level=warn',
      '.',
    ],
    // A third of the time less than the usual command line, which looks up the options of each file again.
    { PRETTIER_EXPERIMENTAL_CLI: '1' },
  ],
  ['expressions', [path.join(root, 'scripts/expressions.mjs')]],
  ['types: server', tsc('apps/server')],
  ['types: web', tsc('apps/web')],
  ['lint', [module('oxlint/bin/oxlint'), '--deny-warnings']],
  ['types: contract', tsc('packages/contract')],
  ['types: domain', tsc('packages/domain')],
  ['types: testkit', tsc('packages/testkit')],
  ['types: lab', tsc('apps/lab')],
  ['types: agent', tsc('apps/agent')],
  ['types: tests and tools', tsc('tsconfig.json')],
  ['dead code', [module('knip/bin/knip.js'), '--no-progress']],
  ['circles', [path.join(root, 'scripts/cycles.mjs')]],
  ['boundaries', [path.join(root, 'scripts/boundaries.mjs')]],
  ['readings of the clock', [path.join(root, 'scripts/clock-readings.mjs')]],
  ['timers', [path.join(root, 'scripts/timers.mjs')]],
  ['registries', [path.join(root, 'scripts/registries.mjs'), '--check']],
  ['document references', [path.join(root, 'scripts/doc-references.mjs')]],
  ['words', [path.join(root, 'scripts/words.mjs')]],
]

/** Runs two checks at a time: the smallest supported machine has two cores. */
async function runAll() {
  const waiting = [...checks]
  const failed = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, args, env] = next
      const startedAt = Date.now()
      const { code, output } = await run(args, env)
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      if (code !== 0) {
        failed.push(name)
        console.log(output.trimEnd())
      }
    }
  }
  await Promise.all([work(), work()])
  return failed
}

function run(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(pinnedNode(), args, { cwd: root, env: { ...pinnedEnv(), ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

const failed = await runAll()
if (failed.length > 0) {
  console.log(`\n${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`)
  process.exit(1)
}
console.log(`\nall ${checks.length} checks passed`)
