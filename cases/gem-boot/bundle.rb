# what `bundle install --standalone` leaves behind: the gems, and a setup.rb
require 'fileutils'
FileUtils.mkdir_p('bundle/bundler')
gems = (0...300).map { |i| format('part%03d', i) }
gems.each_with_index do |g, i|
  lib = "bundle/gems/#{g}-1.#{i % 7}.0/lib"
  FileUtils.mkdir_p("#{lib}/#{g}")
  files = %w[version errors config helpers]
  File.write("#{lib}/#{g}.rb", files.map { |f| "require '#{g}/#{f}'\n" }.join + "module Part#{i}; end\n")
  files.each { |f| File.write("#{lib}/#{g}/#{f}.rb", "module Part#{i}; #{f.upcase} = #{i}; end\n") }
end
File.open('bundle/bundler/setup.rb', 'w') do |f|
  f.puts 'path = File.expand_path("..", __dir__)'
  gems.each_with_index { |g, i| f.puts %($:.unshift "\#{path}/gems/#{g}-1.#{i % 7}.0/lib") }
end
File.write('bundle/all.txt', gems.join("\n"))
