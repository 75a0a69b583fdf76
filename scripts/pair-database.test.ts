import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { certificateFor, hasOpenssl } from '../apps/server/src/testing/certificates.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { postgresAccount, programFolder } from '../apps/server/src/testing/postgres-server.ts'
import { commandsIn, fencedBlocks } from './documented.ts'
import { deployText } from './source-texts.ts'

const programs = programFolder()
if (!programs) console.log('skipped: no PostgreSQL')
else if (!hasOpenssl()) console.log('skipped: no openssl')

const blocks = fencedBlocks('docs/pair.md')
const rolesAndDatabase = blocks.find(({ language }) => language === 'sql')!.text
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(commandsIn)
const documented = (program: string) =>
  commands.filter((command) => new RegExp(`\\b${program}\\b`).test(command))

/** One of the pair, with its configuration outside the data folder, as Debian has it. */
interface Machine {
  name: string
  port: number
  configuration: string
  data: string
}

let folder: string
let running: Set<Machine>

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-pair-'))
  running = new Set()
})
afterEach(() => {
  for (const machine of running) stop(machine, 'immediate')
  fs.rmSync(folder, { recursive: true })
})

/** As the user postgres, who finds the passwords of the roles in `.pgpass`. */
function shell(command: string, own: Record<string, string> = {}): string {
  const env = {
    PATH: `${programs}:${process.env['PATH']}`,
    LC_ALL: 'C.UTF-8',
    PGPASSFILE: path.join(folder, '.pgpass'),
    ...own,
  }
  return execFileSync('sh', ['-c', command], {
    ...postgresAccount(),
    cwd: folder,
    env,
    stdio: 'pipe',
  }).toString()
}

async function makeMachine(name: string): Promise<Machine> {
  const own = path.join(folder, name)
  const configuration = path.join(own, 'etc')
  fs.mkdirSync(path.join(configuration, 'conf.d'), { recursive: true })
  const write = (file: string, lines: readonly string[]) =>
    fs.writeFileSync(path.join(configuration, file), lines.join('\n'))
  const { cert, key } = certificateFor(own, 'DNS:pulse-db')
  fs.chmodSync(key, 0o600)
  const machine = { name, port: await freePort(), configuration, data: path.join(own, 'main') }
  write('postgresql.conf', [
    `data_directory = '${machine.data}'`,
    `hba_file = '${configuration}/pg_hba.conf'`,
    `unix_socket_directories = '${own}'`,
    `port = ${machine.port}`,
    'ssl = on',
    `ssl_cert_file = '${cert}'`,
    `ssl_key_file = '${key}'`,
    // the machine does not lose power during a test
    'fsync = off',
    `include_dir = 'conf.d'`,
  ])
  write('conf.d/pulse.conf', [deployText('pair/postgresql.conf').replace(`'*'`, `'127.0.0.1'`)])
  const others = deployText('pair/pg_hba.conf').replaceAll('192.0.2.0/24', '127.0.0.1/32')
  write('pg_hba.conf', ['local all postgres trust', others])
  return machine
}

function start(machine: Machine) {
  const { name, data, configuration } = machine
  running.add(machine)
  shell(`pg_ctl -D ${data} -w -l ${name}.log -o '-c config_file=${configuration}/postgresql.conf' start`)
}

function stop(machine: Machine, how: 'fast' | 'immediate') {
  running.delete(machine)
  shell(`pg_ctl -D ${machine.data} -w -m ${how} stop`)
}

/** SQL of the administrator at the machine itself. */
const administer = ({ data, port }: Machine, sql: string) =>
  shell(`psql -XAtq -v ON_ERROR_STOP=1 -U postgres postgres <<'END'\n${sql}\nEND`, {
    PGHOST: path.dirname(data),
    PGPORT: String(port),
  }).trim()

/** SQL of Pulse, over the network. */
const asPulse = ({ port }: Machine, sql: string) =>
  shell(`psql -XAtq -h 127.0.0.1 -p ${port} -U pulse pulse -c "${sql}"`).trim()

test.skipIf(!programs || !hasOpenssl())(
  'with the files of deploy/pair and the commands of docs/pair.md, a former primary server becomes a standby',
  async () => {
    const [one, two] = [await makeMachine('pulse-1'), await makeMachine('pulse-2')]
    const machines = [one, two]
    const password = (role: string) =>
      new RegExp(`ROLE ${role} .*PASSWORD '(.*)'`).exec(rolesAndDatabase)?.[1]
    const known = ['pulse', 'replicator'].map((role) => `*:*:*:${role}:${password(role)}\n`)
    fs.writeFileSync(path.join(folder, '.pgpass'), known.join(''), { mode: 0o600 })
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres:', folder])

    /** Runs the command of docs/pair.md that has this program. */
    function perform(machine: Machine, program: string) {
      const [command, ...more] = documented(program)
      expect([command, ...more], program).toEqual([expect.stringContaining('runuser -u postgres -- ')])
      const atPort = machines.reduce(
        (text, { name, port }) =>
          text
            .replaceAll(`-h ${name}`, `-h 127.0.0.1 -p ${port}`)
            .replaceAll(`host=${name}`, `host=127.0.0.1 port=${port}`),
        command!,
      )
      const here = atPort
        .replace('runuser -u postgres -- ', '')
        .replaceAll('/etc/postgresql/15/main', machine.configuration)
        .replaceAll('/var/lib/postgresql/15/main', machine.data)
        .replaceAll(/\/usr\/lib\/postgresql\/15\/bin\//g, '')
      const itself = { PGHOST: path.dirname(machine.data), PGPORT: String(machine.port), PGUSER: 'postgres' }
      return shell(here, itself)
    }
    const followers = (machine: Machine) =>
      administer(machine, 'SELECT usename, state FROM pg_stat_replication')
    const follows = (standby: Machine, primary: Machine) =>
      expect.poll(() => [followers(primary), asPulse(standby, 'SELECT * FROM t')])

    shell(`initdb -D ${one.data} -U postgres --no-sync`)
    // as of Debian, they are not there
    for (const file of ['postgresql.conf', 'pg_hba.conf']) fs.rmSync(path.join(one.data, file))
    start(one)
    administer(one, rolesAndDatabase)
    asPulse(one, `CREATE TABLE t (x text); INSERT INTO t VALUES ('first')`)
    perform(two, 'pg_basebackup')
    start(two)
    await follows(two, one).toEqual(['replicator|streaming', 'first'])

    // The standby does not get the last change of the primary server, which then fails.
    stop(two, 'fast')
    asPulse(one, `INSERT INTO t VALUES ('lost')`)
    stop(one, 'immediate')
    start(two)
    expect(documented('promote')).toEqual(['pg_ctlcluster 15 main promote'])
    shell(`pg_ctl -D ${two.data} -w promote`)
    perform(two, 'CHECKPOINT')
    asPulse(two, `INSERT INTO t VALUES ('second')`)

    perform(one, 'pg_rewind')
    start(one)
    await follows(one, two).toEqual(['replicator|streaming', 'first\nsecond'])
    expect(administer(one, 'SELECT pg_is_in_recovery()')).toBe('t')
    for (const { data } of machines) {
      const written = fs.readFileSync(path.join(data, 'postgresql.auto.conf'), 'utf8')
      expect(written).toContain('user=replicator')
      expect(written).not.toContain('password=')
    }
  },
)
