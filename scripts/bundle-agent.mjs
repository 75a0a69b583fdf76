// Bundles the agent as one script, and as a single executable for each platform. The executable contains
// Node, so that a host needs only a C library. The argument is the output folder; `--all` downloads Node for
// every platform.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { nodeFor, withoutSymbols } from './node-program.mjs'
import { root } from './pinned-node.mjs'
import { publicKeyOf, readKey } from './signing.mjs'

const [dist, ...options] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(path.join(root, 'apps/agent/package.json'), 'utf8'))

/** Platforms in the names of files and downloads, with Node's names. */
const platforms = { 'linux-amd64': 'x64', 'linux-arm64': 'arm64' }

// The agent works for a moment every 30 s. It needs no compiled code, no writable and executable memory, and
// only one thread. It collects garbage after each report (`--expose-gc`, apps/agent/src/main.ts).
const nodeFlags = ['--jitless', '--single-threaded', '--max-semi-space-size=1', '--expose-gc']

const script = path.join(dist, 'pulse-docker-agent.cjs')
await bundle()
for (const [platform, arch] of Object.entries(platforms)) {
  const node = nodeFor(arch, options.includes('--all'))
  if (node) assemble(node, path.join(dist, `pulse-docker-agent-${platform}`))
}
// the server reads the version of its agents from this file
writeFileSync(path.join(dist, 'VERSION'), version)

/** The public key of this release. The agent refuses updates that are signed with another key. */
function releaseKeys() {
  const file = process.env.PULSE_RELEASE_KEY_FILE
  return file ? publicKeyOf(readKey(file)) : ''
}

async function bundle() {
  const bundle = await rolldown({
    // its paths are about types
    tsconfig: false,
    cwd: root,
    input: path.join(root, 'apps/agent/src/main.ts'),
    platform: 'node',
    treeshake: true,
    transform: {
      define: { AGENT_VERSION: JSON.stringify(version), RELEASE_KEYS: JSON.stringify(releaseKeys()) },
    },
  })
  await bundle.write({
    file: script,
    format: 'cjs',
    comments: false,
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  })
  await bundle.close()
}

function assemble(node, output) {
  const bare = `${output}.node`
  const config = `${output}.json`
  writeFileSync(bare, withoutSymbols(readFileSync(node)), { mode: 0o755 })
  const made = {
    // names without folders, because these texts become part of the program
    main: path.basename(script),
    executable: path.basename(bare),
    output: path.basename(output),
    disableExperimentalSEAWarning: true,
    execArgv: nodeFlags,
    // a service's environment must not change the program
    execArgvExtension: 'none',
  }
  writeFileSync(config, JSON.stringify(made))
  execFileSync(process.execPath, ['--build-sea', config], {
    cwd: dist,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const file of [bare, config]) rmSync(file)
  console.log(`${path.basename(output)}: ${(statSync(output).size / 1e6).toFixed(0)} MB`)
}
