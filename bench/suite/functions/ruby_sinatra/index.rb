# A page with a table, rendered from a template, and the same as JSON.
require "sinatra/base"
require "json"

class Stock < Sinatra::Base
  ITEMS = { "Anemometer" => 149.0, "Barometer" => 89.5, "Rain gauge" => 24.5 }.freeze

  set :bind, "0.0.0.0"
  set :port, ENV.fetch("PORT").to_i
  set :server, :puma
  set :environment, :production

  template :page do
    "<h1>Stock</h1><ul><% items.each do |name, price| %><li><%= name %>: <%= price %></li><% end %></ul>"
  end

  get("/") { erb :page, locals: { items: ITEMS } }

  get("/items") do
    content_type :json
    ITEMS.to_json
  end
end

Stock.run!
