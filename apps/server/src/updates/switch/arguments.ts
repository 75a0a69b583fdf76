import path from 'node:path'

const usage = 'Usage: switch --root FOLDER --data FOLDER --service UNIT [--wait SECONDS]'
/** As long as a start on a large estate may take on a slow machine. */
const usualWaitSeconds = 120

export interface SwitchArguments {
  root: string
  data: string
  service: string
  waitSeconds: number
}

export function readArguments(args: readonly (string | undefined)[]): SwitchArguments {
  const given = new Map<string, string>()
  for (let n = 0; n < args.length; n += 2) {
    const [name, value] = [args[n], args[n + 1]]
    if (!name || !value || !['--root', '--data', '--service', '--wait'].includes(name)) throw new Error(usage)
    given.set(name, value)
  }
  const [root, data, service, wait = String(usualWaitSeconds)] = ['root', 'data', 'service', 'wait'].map(
    (name) => given.get(`--${name}`),
  )
  if (!root || !data || !service || !/^[\w@.-]+$/.test(service) || !/^\d{1,4}$/.test(wait))
    throw new Error(usage)
  return { root: path.resolve(root), data: path.resolve(data), service, waitSeconds: Number(wait) }
}
