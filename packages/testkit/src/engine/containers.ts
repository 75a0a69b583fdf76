import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import type { Engine } from './start.ts'

export const busybox = 'tiny/busybox:1.35'

/** There is no registry here, so the image is built from the machine's own files. */
async function importBusybox({ cli, folder }: Engine): Promise<void> {
  const root = `${folder}/image`
  fs.mkdirSync(`${root}/bin`, { recursive: true })
  fs.mkdirSync(`${root}/etc`)
  fs.copyFileSync('/bin/busybox', `${root}/bin/busybox`)
  const commands = String(execFileSync('/bin/busybox', ['--list']))
    .trim()
    .split('\n')
  for (const name of commands) if (name !== 'busybox') fs.symlinkSync('busybox', `${root}/bin/${name}`)
  fs.writeFileSync(`${root}/etc/passwd`, 'root:x:0:0:root:/:/bin/sh\n')
  execFileSync('tar', ['-C', root, '-cf', `${folder}/image.tar`, '.'])
  await cli('import', '--change', 'CMD ["/bin/sh"]', `${folder}/image.tar`, busybox)
}

const words = (text: string) => text.split(' ')
const serve = 'mkdir -p /www; echo ok >/www/index.html; exec httpd -f -p 8080 -h /www'
const checked = 'wget -q -O- http://127.0.0.1:8080/ || exit 1'
const burn = 'dd if=/dev/zero of=/dev/shm/x bs=1M count=20; while :; do :; done'

/** One container of each usual kind. */
const usual: Record<string, string[]> = {
  web: [
    ...words('--restart unless-stopped --network front -p 127.0.0.1:18080:8080 -v appdata:/data'),
    ...words('-l com.docker.compose.project=shop -l com.docker.compose.service=web'),
    ...words('--health-interval 2s --health-retries 2 --health-cmd'),
    checked,
    ...words(`${busybox} sh -c`),
    serve,
  ],
  memlimited: [
    ...words('--memory 64m --memory-swap 64m --cpus 0.25 --pids-limit 32 --network back'),
    ...words(`${busybox} sh -c`),
    burn,
  ],
  flapper: [...words(`--restart always ${busybox} sh -c`), 'echo boom >&2; sleep 1; exit 3'],
  sick: [
    '--health-cmd',
    'exit 1',
    ...words(`--health-interval 1s --health-retries 2 ${busybox} sleep 100000`),
  ],
  done: [busybox, 'true'],
  oom: [...words(`--memory 16m --memory-swap 16m ${busybox} sh -c`), 'sleep 1; tail /dev/zero'],
  paused: [busybox, 'sleep', '100000'],
}

/** Starts the named containers, or all, and creates one that is never started. */
export async function givenContainers(engine: Engine, names = Object.keys(usual)): Promise<void> {
  const { cli } = engine
  await importBusybox(engine)
  if (names.includes('web')) await cli('network', 'create', 'front')
  if (names.includes('web')) await cli('volume', 'create', 'appdata')
  if (names.includes('memlimited')) await cli('network', 'create', '--internal', 'back')
  for (const name of names) await cli('run', '-d', '--name', name, ...usual[name]!)
  if (names.includes('paused')) await cli('pause', 'paused')
  await cli('create', '--name', 'created', busybox, 'true')
}
