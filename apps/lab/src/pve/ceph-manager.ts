import type { Ceph, Node } from '../estate/estate.ts'

const moduleCount = 34
const optionsPerModule = 19

const names = [
  'alerts',
  'balancer',
  'crash',
  'dashboard',
  'devicehealth',
  'influx',
  'prometheus',
  'telemetry',
]

/** Every manager repeats the options of each module, which are most of the 0.7 MB of a status. */
const availableModules: string = JSON.stringify(
  Array.from({ length: moduleCount }, (_, index) => aModule(names[index] ?? `module_${index}`)),
)

function aModule(name: string) {
  const options = Array.from({ length: optionsPerModule }, (_, index) => anOption(`${name}_option_${index}`))
  return {
    name,
    can_run: true,
    error_string: '',
    module_options: Object.fromEntries(options.map((option) => [option.name, option])),
  }
}

function anOption(name: string) {
  return {
    name,
    type: 'str',
    level: 'advanced',
    flags: 1,
    default_value: '',
    min: '',
    max: '',
    enum_allowed: ['', 'critical', 'debug', 'error', 'info', 'warning'],
    desc: `What ${name} is set to while the manager runs`,
    long_desc: '',
    tags: [],
    see_also: [],
  }
}

const known = new WeakMap<Ceph, { of: string; text: string }>()

/** As JSON. It changes only with the monitors that are up. */
export function managerMap(ceph: Ceph, monitors: readonly Node[]): string {
  const [active, ...standbys] = monitors.filter(({ online }) => online)
  const of = monitors.map(({ online }) => online).join()
  const before = known.get(ceph)
  if (before?.of === of) return before.text
  const head = {
    epoch: 1508,
    available: true,
    active_name: active?.name ?? '',
    active_gid: 179_832_486,
    active_addr: `${active?.address}:6859/2343`,
    active_addrs: { addrvec: [{ type: 'v2', addr: `${active?.address}:6858`, nonce: 2343 }] },
    active_change: '2025-02-11T18:04:25.050119+0100',
    active_mgr_features: 4_540_138_322_906_710,
    active_clients: [
      { name: 'devicehealth', addrvec: [{ type: 'v2', addr: `${active?.address}:0`, nonce: 1_649_438_157 }] },
    ],
    always_on_modules: {
      quincy: ['balancer'],
      pacific: ['balancer'],
      octopus: ['balancer'],
      reef: ['balancer'],
    },
    last_failure_osd_epoch: 32_503,
    modules: names.slice(0, 3),
    services: {
      dashboard: `http://${active?.address}:9080/`,
      prometheus: `http://${active?.address}:9283/`,
    },
  }
  const others = standbys.map(({ name }, index) => {
    const fields = JSON.stringify({ gid: 179_843_533 + index, name, mgr_features: 4_540_138_322_906_710 })
    return `${fields.slice(0, -1)},"available_modules":${availableModules}}`
  })
  const text = `${JSON.stringify(head).slice(0, -1)},"standbys":[${others.join()}],"available_modules":${availableModules}}`
  known.set(ceph, { of, text })
  return text
}
