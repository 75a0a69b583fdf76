import fs from 'node:fs'
import { parse } from 'yaml'

type Service = Record<string, unknown>

/** Arguments for each key in our compose files; an unknown key throws an error. */
const options: Record<string, (value: never) => string[]> = {
  restart: (value: string) => ['--restart', value],
  ports: (values: string[]) => values.flatMap((one) => ['--publish', one]),
  environment: (values: Record<string, string>) =>
    Object.entries(values).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  volumes: (values: string[]) => values.flatMap((one) => ['--volume', one]),
  // files next to the compose file
  secrets: (names: string[]) =>
    names.flatMap((name) => ['--volume', `./secrets/${name}:/run/secrets/${name}:ro`]),
  group_add: (values: string[]) => values.flatMap((one) => ['--group-add', one]),
  tmpfs: (values: string[]) => values.flatMap((one) => ['--tmpfs', one]),
  read_only: (value: boolean) => (value ? ['--read-only'] : []),
  cap_drop: (values: string[]) => values.flatMap((one) => ['--cap-drop', one]),
  security_opt: (values: string[]) => values.flatMap((one) => ['--security-opt', one]),
  mem_limit: (value: string) => ['--memory', value],
  stop_grace_period: (value: string) => ['--stop-timeout', value.replace(/s$/, '')],
}

/** Translates a service of a compose file to arguments of `docker run`; the image comes last. */
export function composeService(file: string, name: string, variables: Record<string, string>): string[] {
  const { services } = parse(fs.readFileSync(file, 'utf8')) as { services: Record<string, Service> }
  const { image, ...service } = filled(services[name], variables) as Service & { image: string }
  const words = Object.entries(service).flatMap(([key, value]) => {
    const option = options[key]
    if (!option) throw new Error(`${file} has ${key}, which is not understood here`)
    return option(value as never)
  })
  return [...words, image]
}

/** Fills in `${NAME:-otherwise}` and the required `${NAME:?}`. */
function filled(value: unknown, variables: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, variables))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, variables)]))
  }
  if (typeof value !== 'string') return value
  return value.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, how: string, otherwise: string) => {
    const given = variables[name]
    if (given === undefined && how === '?') throw new Error(`${name} is not set`)
    return given ?? otherwise
  })
}
