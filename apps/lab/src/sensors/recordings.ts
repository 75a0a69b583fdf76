/** Output of `sensors -j` on several kinds of machines, with its irregularities. */
export const sensorsRecordings = {
  /** one socket, six cores whose numbers have gaps, an NVMe disk, a board sensor */
  intel: `{
   "nvme-pci-0200":{
      "Adapter": "PCI adapter",
      "Composite":{
         "temp1_input": 41.850,
         "temp1_max": 81.850,
         "temp1_min": -273.150,
         "temp1_crit": 84.850,
         "temp1_alarm": 0.000
      },
      "Sensor 1":{
         "temp2_input": 47.850,
         "temp2_max": 65261.850,
         "temp2_min": -273.150
      }
   },
   "acpitz-acpi-0":{
      "Adapter": "ACPI interface",
      "temp1":{
         "temp1_input": 27.800
      }
   },
   "coretemp-isa-0000":{
      "Adapter": "ISA adapter",
      "Package id 0":{
         "temp1_input": 54.000,
         "temp1_max": 80.000,
         "temp1_crit": 100.000,
         "temp1_crit_alarm": 0.000
      },
      "Core 0":{
         "temp2_input": 51.000,
         "temp2_max": 80.000
      },
      "Core 4":{
         "temp3_input": 53.000,
         "temp3_max": 80.000
      },
      "Core 8":{
         "temp4_input": 49.000,
         "temp4_max": 80.000
      }
   }
}
`,
  /** the second socket numbers its cores from 0 again */
  intelTwoSockets: `{
   "coretemp-isa-0000":{
      "Adapter": "ISA adapter",
      "Package id 0":{ "temp1_input": 61.000 },
      "Core 0":{ "temp2_input": 58.000 },
      "Core 1":{ "temp3_input": 60.000 }
   },
   "coretemp-isa-0001":{
      "Adapter": "ISA adapter",
      "Package id 1":{ "temp1_input": 66.000 },
      "Core 0":{ "temp2_input": 65.000 },
      "Core 1":{ "temp3_input": 59.000 }
   }
}
`,
  amd: `{
   "nvme-pci-0100":{
      "Adapter": "PCI adapter",
      "Composite":{
         "temp1_input": 36.850,
         "temp1_max": 81.850,
         "temp1_min": -273.150,
         "temp1_crit": 84.850,
         "temp1_alarm": 0.000
      },
      "Sensor 2":{
         "temp3_input": 41.850,
         "temp3_max": 65261.850,
         "temp3_min": -273.150
      }
   },
   "k10temp-pci-00c3":{
      "Adapter": "PCI adapter",
      "Tctl":{
         "temp1_input": 51.625
      },
      "Tccd1":{
         "temp3_input": 48.750
      },
      "Tccd2":{
         "temp4_input": 45.000
      }
   }
}
`,
  /** Tctl is 27 degrees above the die on this model */
  amdTdie: `{
   "k10temp-pci-00c3":{
      "Adapter": "PCI adapter",
      "Vcore":{ "in0_input": 1.200 },
      "Tdie":{ "temp2_input": 44.250, "temp2_max": 70.000 },
      "Tctl":{ "temp1_input": 71.250 }
   }
}
`,
  /** an older kernel does not name the sensor */
  amdUnnamed: `{
   "k10temp-pci-00c3":{
      "Adapter": "PCI adapter",
      "temp1":{
         "temp1_input": 58.000,
         "temp1_max": 70.000
      }
   }
}
`,
  arm: `{
   "cpu_thermal-virtual-0":{
      "Adapter": "Virtual device",
      "temp1":{
         "temp1_input": 46.738,
         "temp1_crit": 110.000
      }
   },
   "rp1_adc-isa-0000":{
      "Adapter": "ISA adapter",
      "in1":{ "in1_input": 1.478 },
      "temp1":{ "temp1_input": 52.034 }
   }
}
`,
  /** the first disk has no Composite, the second one is absent, the third reports text */
  nvmeOnly: `{
   "nvme-pci-0400":{
      "Adapter": "PCI adapter",
      "Sensor 1":{ "temp2_input": 39.850 }
   },
   "nvme-pci-0500":{
      "Adapter": "PCI adapter",
      "Composite":{ "temp1_input": -273.150 }
   },
   "nvme-pci-0600":{
      "Adapter": "PCI adapter",
      "Composite":{ "temp1_input": "44.85" }
   }
}
`,
  /** lm-sensors 3.6: unreadable values are missing, are nan, or leave a comma behind */
  broken: `{
   "iwlwifi_1-virtual-0":{
      "Adapter": "Virtual device",
      "temp1":{
ERROR: Can't get value of subfeature temp1_input: Can't read

      }
   },
   "pch_cannonlake-virtual-0":{
      "Adapter": "Virtual device",
   },
   "it8688-isa-0a40":{
      "Adapter": "ISA adapter",
      "temp1":{
         "temp1_input": nan
      },
      "temp2":{
         "temp2_input": -55.000
      }
   },
   "coretemp-isa-0000":{
      "Adapter": "ISA adapter",
      "Package id 0":{
         "temp1_input": 48.000
      },
      "Core 0":{
         "temp2_input": 0.000
      },
      "Core 1":{
         "temp3_input": 47.000,
      }
   }
}
`,
  /** a virtual machine has no sensors */
  none: '{\n}\n',
} as const
