// The machine's first process. It runs units, as far as the tests need it: a service gets its user,
// variables, folders, capabilities and umask, can write only to its own paths, and restarts as its unit says.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

const folder = '/etc/systemd/system'
const logs = '/run/log'
fs.mkdirSync(logs, { recursive: true })
/** services: name → { process, wanted }; paths: name → { watching } */
const running = new Map()
const LOOK_MS = 100
const STOP_MS = 15_000

/** The values of a unit by key; a repeated key has several. */
function read(name) {
  const file = `${folder}/${name}`
  if (!fs.existsSync(file)) throw new Error(`Unit ${name} not found.`)
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return (key) => lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
}

function variablesOf(unit) {
  const given = Object.fromEntries(
    unit('Environment')
      .flatMap((line) => line.split(' '))
      .map((one) => one.split(/=(.*)/s).slice(0, 2)),
  )
  for (const line of unit('EnvironmentFile')) {
    const file = line.replace(/^-/, '')
    if (!fs.existsSync(file) && line.startsWith('-')) continue
    for (const [, name, value] of fs.readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
      given[name] = value.replace(/^"(.*)"$/, '$1')
  }
  return given
}

const idOf = (user) => {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${user}:`))
  if (!line) throw new Error(`There is no user ${user}.`)
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

function foldersOf(unit, { uid, gid }) {
  const made = {}
  for (const [key, parent] of [
    ['StateDirectory', '/var/lib'],
    ['CacheDirectory', '/var/cache'],
  ]) {
    for (const name of unit(key)) {
      const unitFolder = `${parent}/${name}`
      fs.mkdirSync(unitFolder, { recursive: true, mode: parseInt(unit(`${key}Mode`)[0] ?? '755', 8) })
      fs.chownSync(unitFolder, uid, gid)
      made[key] = unitFolder
    }
  }
  return made
}

/** The machine's own folders are readable, and only some of them writable. */
const enter = `
for folder in /etc /opt /var /usr/local; do mount --bind "$folder" "$folder"; done
for folder in $1; do mount --bind "$folder" "$folder"; done
for folder in /etc /opt /var /usr/local; do mount -o remount,ro,bind "$folder"; done
umask "$2"
shift 2
exec "$@"`

function launch(name) {
  const unit = read(name)
  const owner = idOf(unit('User')[0] ?? 'root')
  const folders = foldersOf(unit, owner)
  const writable = [...Object.values(folders), ...unit('ReadWritePaths').flatMap((line) => line.split(' '))]
  const rights = (unit('CapabilityBoundingSet')[0] ?? '').split(' ').filter(Boolean)
  const bounds = ['-all', ...rights.map((one) => `+${one.replace(/^CAP_/, '').toLowerCase()}`)].join(',')
  const limited = [
    'unshare',
    '--mount',
    'sh',
    '-ec',
    enter,
    'sh',
    writable.join(' '),
    unit('UMask')[0] ?? '0022',
  ]
  const rid = ['setpriv', '--no-new-privs', `--bounding-set=${bounds}`, '--inh-caps=-all', '--clear-groups']
  const owned = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--', ...unit('ExecStart')[0].split(' ')]
  const command = [...limited, ...rid, ...owned]
  const log = fs.openSync(`${logs}/${name}`, 'a')
  const child = spawn(command[0], command.slice(1), {
    cwd: '/',
    stdio: ['ignore', log, log],
    // its child processes end with it
    detached: true,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      INVOCATION_ID: '0'.repeat(32),
      ...(folders.CacheDirectory && { CACHE_DIRECTORY: folders.CacheDirectory }),
      ...variablesOf(unit),
    },
  })
  fs.closeSync(log)
  return child
}

async function startService(name) {
  const unit = read(name)
  const conditions = unit('ConditionPathExists').map((line) => line.replace('|', ''))
  if (conditions.length > 0 && !conditions.some((file) => fs.existsSync(file))) return
  if (running.get(name)?.process) return
  const state = { process: launch(name), wanted: true, restarts: 0 }
  running.set(name, state)
  const restart = unit('Restart')[0] ?? 'no'
  const done = (async () => {
    for (;;) {
      const [code, signal] = await once(state.process, 'exit')
      endGroup(state.process.pid)
      const failed = code !== 0 || signal !== null
      if (!state.wanted || restart === 'no' || (restart === 'on-failure' && !failed)) {
        state.process = undefined
        return failed
      }
      await pause(1_000)
      if (!state.wanted) return failed
      state.process = launch(name)
      state.restarts++
    }
  })()
  if (unit('Type')[0] === 'oneshot' && (await done)) throw new Error(`${name} failed.`)
}

function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

async function stopService(name) {
  const state = running.get(name)
  if (!state) return
  state.wanted = false
  const { process: child } = state
  // between two start attempts it has already ended
  if (child && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await gone
    clearTimeout(late)
  }
  running.delete(name)
}

function startPath(name) {
  if (running.has(name)) return
  const unit = read(name)
  const [file] = unit('PathExists')
  const service = name.replace(/\.path$/, '.service')
  const watching = setInterval(() => {
    if (fs.existsSync(file)) startService(service).catch(() => {})
  }, LOOK_MS)
  running.set(name, { watching })
}

function stopPath(name) {
  clearInterval(running.get(name)?.watching)
  running.delete(name)
}

const start = (name) => (name.endsWith('.path') ? startPath(name) : startService(name))
const stop = (name) => (name.endsWith('.path') ? stopPath(name) : stopService(name))
const wants = '/etc/systemd/system/multi-user.target.wants'

const verbs = {
  'daemon-reload': () => {},
  enable: (name) => {
    read(name)
    fs.mkdirSync(wants, { recursive: true })
    fs.rmSync(`${wants}/${name}`, { force: true })
    fs.symlinkSync(`${folder}/${name}`, `${wants}/${name}`)
  },
  disable: (name) => fs.rmSync(`${wants}/${name}`, { force: true }),
  start,
  stop,
  async restart(name) {
    await stop(name)
    await start(name)
  },
  'is-active': (name) => {
    const state = running.get(name)
    if (!state?.process && !state?.watching) throw new Error('inactive')
    return 'active'
  },
  /** The only supported property: NRestarts. */
  show: (name) => String(running.get(name)?.restarts ?? 0),
  /** Not part of systemd: kills a service like a crash, or prints its process id. */
  'main-pid': (name) => String(running.get(name)?.process?.pid ?? ''),
}

async function obey([verb, ...words]) {
  const names = words
    .filter((word) => !word.startsWith('-'))
    .map((word) => (word.includes('.') ? word : `${word}.service`))
  if (!Object.hasOwn(verbs, verb)) throw new Error(`Unknown command verb ${verb}.`)
  const said = []
  for (const name of names.length > 0 ? names : ['']) said.push(await verbs[verb](name))
  return said.filter(Boolean).join('\n')
}

const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  let text = ''
  socket.on('error', () => {})
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
    if (!text.endsWith('\n')) return
    obey(JSON.parse(text)).then(
      (says) => socket.end(JSON.stringify({ code: 0, says })),
      (error) => socket.end(JSON.stringify({ code: 1, says: error.message })),
    )
  })
})
server.listen('/run/units.sock', () => console.log('up'))
