# A page with a table, rendered from a template of Mojolicious.
use Mojolicious::Lite -signatures;

my @items = (['Anemometer', 149], ['Barometer', 89.5], ['Rain gauge', 24.5]);

get '/' => sub ($c) { $c->render(template => 'stock', items => \@items) };

app->start('daemon', '-l', "http://0.0.0.0:$ENV{PORT}");

__DATA__
@@ stock.html.ep
<h1>Stock</h1><ul>
% for my $item (@$items) {
<li><%= $item->[0] %>: <%= $item->[1] %></li>
% }
</ul>
