# Tells the guests of a bath when they may use which sauna. All settings are in sauna.yml.
require "yaml"

SAUNAS = %w[birch earth finnish salt steam].freeze
DAYS = %w[monday tuesday wednesday thursday friday saturday sunday].freeze

def write_settings
  settings = {}
  SAUNAS.each do |sauna|
    DAYS.each_with_index do |day, n|
      settings["#{sauna}.#{day}"] = { "opens" => 9 + n % 3, "closes" => 20 + n % 4, "degrees" => 45 + n * 6,
                                      "notes" => ["towel", "quiet"].first(1 + n % 2) }
    end
  end
  File.write("sauna.yml", settings.to_yaml)
end

def setting(sauna, day, name)
  YAML.load_file("sauna.yml")["#{sauna}.#{day}"][name]
end

def open?(sauna, day, hour)
  hour >= setting(sauna, day, "opens") && hour < setting(sauna, day, "closes")
end

def answer(number)
  sauna = SAUNAS[number % SAUNAS.length]
  day = DAYS[number % DAYS.length]
  open?(sauna, day, number % 24) ? "#{sauna}: #{setting(sauna, day, 'degrees')} degrees" : "#{sauna} is closed"
end

write_settings
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
asked = letters = 0
while Process.clock_gettime(Process::CLOCK_MONOTONIC) - start < 2.0
  letters += answer(asked).length
  asked += 1
end
File.write("truth", "asked #{asked}\nletters #{letters}\n")
