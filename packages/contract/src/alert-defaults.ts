import { clearMargin, scheduleBounds } from './alert-bounds.ts'
import { storageLimits } from './alert-types.ts'
import type { AlertConfig, AlertSchedule, Threshold } from './alert-config.ts'

/** A threshold with a clear value one margin below its trigger, but not below 0. */
export const thresholdAt = (trigger: number): Threshold => ({
  trigger,
  clear: Math.max(0, trigger - clearMargin),
})
const off = thresholdAt(-1)

const noSwitches = {
  disableAllNodes: false,
  disableAllGuests: false,
  disableAllStorage: false,
  disableAllDatastores: false,
  disableAllDisks: false,
  disableAllCeph: false,
  disableAllFailedBackups: false,
  disableAllPBS: false,
  disableAllPMG: false,
  disableAllDockerHosts: false,
  disableAllDockerContainers: false,
  disableAllNodesOffline: false,
  disableAllGuestsOffline: false,
  disableAllPBSOffline: false,
  disableAllPMGOffline: false,
  disableAllDockerHostsOffline: false,
}

export const scheduleDefaults: AlertSchedule = {
  quietHours: {
    enabled: false,
    start: '22:00',
    end: '08:00',
    timezone: 'UTC',
    days: {
      monday: true,
      tuesday: true,
      wednesday: true,
      thursday: true,
      friday: true,
      saturday: false,
      sunday: false,
    },
    suppress: { performance: false, storage: false, offline: false },
  },
  cooldown: 30,
  groupingWindow: 300,
  maxAlertsHour: 3,
  notifyOnResolve: true,
  escalation: { enabled: false, levels: [] },
  grouping: { enabled: true, window: 300, byNode: true, byGuest: false },
}

/** Stored in place of 0: the hourly limit, and the grouping window (s) while grouping is off. */
export const scheduleFallbacks = { maxAlertsHour: 10, groupingWindow: 30 } as const
/** Minutes from the previous level, or from the start, to an added level. */
export const newEscalationLevel = { first: 15, step: 30, max: scheduleBounds.escalationAfter.max } as const

/** The factory state: nothing is sent until an administrator activates alerts. */
export const alertDefaults: AlertConfig = {
  enabled: true,
  activationState: 'pending_review',
  observationWindowHours: 24,
  ...noSwitches,
  guestDefaults: {
    cpu: thresholdAt(80),
    memory: thresholdAt(85),
    disk: thresholdAt(90),
    diskRead: off,
    diskWrite: off,
    networkIn: off,
    networkOut: off,
    fullWithin: -1,
    disableConnectivity: false,
    poweredOffSeverity: 'warning',
  },
  nodeDefaults: {
    cpu: thresholdAt(80),
    memory: thresholdAt(85),
    disk: thresholdAt(90),
    temperature: thresholdAt(80),
  },
  dockerDefaults: {
    cpu: thresholdAt(80),
    memory: thresholdAt(85),
    restartCount: 3,
    restartWindow: 300,
    memoryWarnPct: 90,
    memoryCriticalPct: 95,
  },
  dockerIgnoredContainerPrefixes: [],
  storageDefault: thresholdAt(85),
  storageLimits: { fullWithin: storageLimits.fullWithin.switchedOn },
  pmgDefaults: {
    queueTotalWarning: 500,
    queueTotalCritical: 1000,
    oldestMessageWarnMins: 30,
    oldestMessageCritMins: 60,
    deferredQueueWarn: 200,
    deferredQueueCritical: 500,
    holdQueueWarn: 100,
    holdQueueCritical: 300,
    quarantineSpamWarn: 2000,
    quarantineSpamCritical: 5000,
    quarantineVirusWarn: 2000,
    quarantineVirusCritical: 5000,
    quarantineGrowthWarnPct: 25,
    quarantineGrowthWarnMin: 250,
    quarantineGrowthCritPct: 50,
    quarantineGrowthCritMin: 500,
  },
  snapshotDefaults: { enabled: false, warningDays: 30, criticalDays: 45 },
  backupDefaults: { enabled: false, warningDays: 7, criticalDays: 14 },
  minimumDelta: 2,
  suppressionWindow: 5,
  hysteresisMargin: clearMargin,
  timeThreshold: 5,
  timeThresholds: { guest: 5, node: 5, storage: 5, pbs: 5 },
  metricTimeThresholds: {},
  overrides: {},
  customRules: [],
  schedule: scheduleDefaults,
  aggregation: { enabled: true, timeWindow: 10, countThreshold: 3, similarityWindow: 5 },
  flapping: { enabled: true, threshold: 5, window: 10, suppressionTime: 30, minStability: 0.8 },
  ioNormalization: { enabled: true, vmDiskMax: 500, containerDiskMax: 300, networkMax: 1000 },
}

export const isOff = ({ trigger }: Threshold): boolean => trigger <= 0
