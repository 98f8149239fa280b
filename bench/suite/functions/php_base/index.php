<?php
// Says hello with nothing but the runtime: the function whose start brings the runtime's base to a node.
echo "hello\n";
